import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { keysFile, sha256 } from './keys-file.ts';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';

const KEYS = keysFile(['greedy', 'other'].map((name) => ({ name, sha256: sha256(`token-${name}`) })));

let app: NestFastifyApplication | undefined;
let url = '';
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app?.close();
});

async function start(variables: NodeJS.ProcessEnv): Promise<void> {
  ({ app, url } = await startApi({ ASSAY_KEYS_FILE: KEYS, ...variables }));
}

const bearer = (name: string): Record<string, string> => ({ authorization: `Bearer token-${name}` });

/**
 * Starts a request of a client on a raw connection. The request header announces a body of `announced` bytes, but only `sent` bytes are
 * sent.
 */
async function halfSent(name: string, announced: number, sent: number): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  socket.write(
    `POST /evaluate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token-${name}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${announced}\r\nExpect: 100-continue\r\n\r\n`,
  );
  // The service sends `100 Continue` once the request is open.
  await once(socket, 'data');
  socket.write(' '.repeat(sent));
  return socket;
}

function evaluate(name: string, definition: unknown = widgets, pad = 0, query = ''): Promise<Response> {
  const body = JSON.stringify({ definitions: [definition], objects: [widget('w', [1])] }) + ' '.repeat(pad);
  return fetch(`${url}/evaluate${query}`, { method: 'POST', headers: { 'content-type': 'application/json', ...bearer(name) }, body });
}

async function expectTooMany(response: Response, what: RegExp): Promise<void> {
  expect([response.status, Number(response.headers.get('retry-after')) >= 1]).toEqual([429, true]);
  expect(await response.json()).toMatchObject({
    kind: 'Status',
    reason: 'TooManyRequests',
    message: expect.stringMatching(what) as string,
  });
}

describe('a client with too many requests', () => {
  it('can open at most nine tenths of the requests that the service permits', async () => {
    await start({ ASSAY_MAX_OPEN_REQUESTS: '10' });
    for (let i = 0; i < 9; i++) await halfSent('greedy', 50, 1);
    await expectTooMany(await evaluate('greedy'), /requests of this client are open/);
    expect((await evaluate('other')).status).toBe(200);
  });

  it('can fill only its share of the memory for bodies, until its requests end', async () => {
    await start({ ASSAY_FLOW_BODY_BYTES: '100000' });
    const held = await halfSent('greedy', 90_000, 80_000);
    const refused = async (): Promise<Response> => {
      for (;;) {
        const response = await evaluate('greedy', widgets, 50_000);
        // The service may read this request before the bytes of `held`, and then accepts it. So the request is repeated until it is refused.
        if (response.status !== 200) return response;
      }
    };
    await expectTooMany(await refused(), /bodies of this client/);
    expect((await evaluate('greedy')).status).toBe(200);
    expect((await evaluate('other', widgets, 50_000)).status).toBe(200);
    held.destroy();
    while ((await evaluate('greedy', widgets, 50_000)).status !== 200);
  });

  it('can store only its share of definitions, and may use existing ones', async () => {
    await start({ ASSAY_FLOW_DEFINITION_BYTES: '6000' });
    const begin = (name: string, definition: unknown = widgets): Promise<Response> => evaluate(name, definition, 0, '?wait=0');
    expect((await begin('greedy')).status).toBe(202);
    const another = { ...widgets, metadata: { ...widgets.metadata, annotations: { note: 'another text' } } };
    await expectTooMany(await begin('greedy', another), /definitions of this client/);
    expect((await begin('greedy')).status).toBe(202);
    expect((await begin('other', another)).status).toBe(202);
    expect((await begin('greedy', another)).status).toBe(202);
    // A synchronous evaluation stores no definition.
    const third = { ...widgets, metadata: { ...widgets.metadata, annotations: { note: 'a third text' } } };
    expect((await evaluate('greedy', third)).status).toBe(200);
  });

  it('can open only a limited number of connections, and further ones are closed without a response', async () => {
    await start({ ASSAY_MAX_CONNECTIONS: '2' });
    for (let i = 0; i < 2; i++) await halfSent('greedy', 50, 1);
    const late = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    let answer = '';
    late.on('data', (bytes) => (answer += bytes.toString()));
    late.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(late, 'close');
    expect(answer).toBe('');
    sockets[0]?.destroy();
    for (let served = false; !served;)
      served = await fetch(`${url}/livez`).then(
        ({ ok }) => ok,
        () => false,
      );
  });
});
