import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';

/** Answer that was received on a separate raw connection. */
interface RawAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  // The deadline is so long that only the two timeouts of bodies can end a body.
  ({ app, url } = await startApi({ ASSAY_BODY_TIMEOUT_MS: '400', ASSAY_IDLE_BODY_MS: '400', ASSAY_DEADLINE_MS: '3600000' }));
});
afterAll(() => app.close());

/** Sends bytes unchanged on a new connection. Resolves with the answer when the service has closed the connection. */
async function raw(text: string, at = url): Promise<RawAnswer> {
  const received = await new Promise<string>((resolve) => {
    let all = '';
    const socket = connect(Number(new URL(at).port), '127.0.0.1');
    socket.on('data', (bytes) => (all += bytes.toString()));
    socket.on('close', () => resolve(all)).on('error', () => undefined);
    socket.write(text);
  });
  const [head = '', ...body] = received.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.slice(line.indexOf(': ') + 2)]));
  return { code: Number(first.split(' ')[1]), headers, body: body.join('\r\n\r\n') };
}

const HEAD = 'Host: localhost\r\nConnection: close\r\n';
const JSON_BODY = `${HEAD}Content-Type: application/json\r\n`;
const batch = JSON.stringify({ definitions: [widgets], objects: Array.from({ length: 60 }, (_, i) => widget(`w${i}`, [1])) });

describe('an invalid HTTP request gets a Status and the usual headers', () => {
  it.each([
    ['an unknown method', `BREW / HTTP/1.1\r\n${HEAD}\r\n`, 400, 'BadRequest'],
    ['random bytes', '\u0001\u0002\u0003\r\n\r\n', 400, 'BadRequest'],
    ['two lengths', `POST /evaluate HTTP/1.1\r\n${JSON_BODY}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400, 'BadRequest'],
    [
      'a length and chunks',
      `POST /evaluate HTTP/1.1\r\n${JSON_BODY}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
      400,
      'BadRequest',
    ],
    ['a bad chunk', `POST /evaluate HTTP/1.1\r\n${JSON_BODY}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400, 'BadRequest'],
    ['long headers', `GET /livez HTTP/1.1\r\n${HEAD}x: ${'y'.repeat(100_000)}\r\n\r\n`, 431, ''],
    ['a long path', `GET /${'y'.repeat(100_000)} HTTP/1.1\r\n${HEAD}\r\n`, 431, ''],
    ['an expectation', `POST /evaluate HTTP/1.1\r\n${JSON_BODY}Expect: coffee\r\nContent-Length: 2\r\n\r\n{}`, 417, ''],
    ['no Host', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'BadRequest'],
    ['two Hosts', `GET /livez HTTP/1.1\r\nHost: localhost\r\n${HEAD}\r\n`, 400, 'BadRequest'],
  ])('%s', async (_, text, code, reason) => {
    const answer = await raw(text);
    expect(answer.code).toBe(code);
    expect(JSON.parse(answer.body)).toMatchObject({ kind: 'Status', status: 'Failure', code, ...(reason && { reason }) });
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  });
});

describe('an invalid target or host gets a Status with a client error', () => {
  const TARGETS = [
    '//',
    '///',
    '//evaluate',
    'http://[',
    'http://[::1',
    'http://x/evaluate',
    '*',
    '%',
    '?',
    '#',
    '\\',
    'evaluate',
    'file:///etc/passwd',
  ];
  const PATHS = [
    '/%',
    '/%00',
    '/%ff',
    '/%2',
    '/..',
    '/./x',
    '/\\',
    '/evaluate%00',
    '/evaluate;x',
    '/evaluations/%',
    '/evaluations/%00',
    '/docs/%',
  ];
  const QUERIES = [
    '?timeout=99999999s',
    '?deadline=99999999s',
    '?deadline=%',
    '?%',
    '?=',
    '?wait[]=0',
    '?__proto__=1',
    '?a=b&a=c',
    `?${'a'.repeat(9000)}`,
  ];
  const HOSTS = ['', '[', '[::1', 'a b', '127.0.0.1:99999', '127.0.0.1:x', '@', 'x@127.0.0.1', '127.0.0.1/', '%', 'a,b', ':80', 'evil.com'];
  const methods = ['GET', 'POST', 'DELETE'];
  const requests = [
    ...[...TARGETS, ...PATHS, ...QUERIES.map((query) => `/evaluate${query}`)].flatMap((target) =>
      methods.map((method) => ({ method, target, host: 'localhost' })),
    ),
    ...HOSTS.flatMap((host) => ['/', '/evaluate', '/docs-json', '/livez'].map((target) => ({ method: 'GET', target, host }))),
  ];
  it.each(requests)('$method $target of $host', async ({ method, target, host }) => {
    const body = method === 'POST' ? 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}' : '\r\n';
    const answer = await raw(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${body}`);
    expect(answer.code).toBeGreaterThanOrEqual(400);
    expect(answer.code).toBeLessThan(500);
    expect(JSON.parse(answer.body)).toMatchObject({ kind: 'Status', code: answer.code });
  });
  it.each(['', 'Host: localhost\r\nHost: localhost\r\n'])('the page rejects the Host headers %j', async (hosts) => {
    const answer = await raw(`GET / HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
    expect([answer.code, JSON.parse(answer.body)]).toMatchObject([400, { kind: 'Status', code: 400 }]);
  });
});

describe('valid HTTP requests on a connection before an invalid one', () => {
  const requested = `POST /evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(batch)}\r\n\r\n${batch}`;

  it('get their responses first, in order', async () => {
    const { code, body } = await raw(`${requested}GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\nno request\r\n\r\n`);
    expect([code, ...(body.match(/HTTP\/1\.1 \d+/g) ?? [])]).toEqual([200, 'HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  it('are followed by a single response for everything that comes after them', async () => {
    const { body } = await raw(`${requested}no request\r\n\r\n${'more\r\n\r\n'.repeat(20_000)}`);
    expect(body.match(/HTTP\/1\.1 400/g)).toHaveLength(1);
  });
});

describe('a path that does not support the method', () => {
  it.each([
    ['GET', '/evaluate', 'POST'],
    ['PUT', '/evaluate', 'POST'],
    ['POST', '/livez', 'GET, HEAD'],
    ['PATCH', '/evaluations/some-id', 'DELETE, GET, HEAD'],
    ['POST', '/evaluations/some-id/results', 'GET, HEAD'],
  ])('%s %s gets a 405 that names %s', async (method, path, allow) => {
    const response = await fetch(`${url}${path}`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
    expect(await response.json()).toMatchObject({ kind: 'Status', reason: 'MethodNotAllowed', code: 405 });
  });
  it('an unknown path still gets a 404', async () => {
    expect((await fetch(`${url}/evaluate/what`, { method: 'PUT' })).status).toBe(404);
  });
});

describe('the protection against pages of other web sites, if no key is required,', () => {
  const requested = (headers: string): Promise<RawAnswer> => raw(`GET /metrics HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
  it.each(['evil.example:19001', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1', '[::2]', 'a b'])(
    'rejects the Host header %s',
    async (host) => {
      const { code, body } = await requested(`Host: ${host}\r\n`);
      expect(code).toBe(403);
      expect(JSON.parse(body)).toMatchObject({ kind: 'Status', reason: 'Forbidden' });
    },
  );
  it.each(['localhost', 'LOCALHOST:80', '127.0.0.1:8080', '127.1.2.3', '[::1]:8080'])('accepts the Host header %s', async (host) => {
    expect((await requested(`Host: ${host}\r\n`)).code).toBe(200);
  });
  it.each([
    ['Origin: http://evil.example', 403],
    ['Origin: null', 403],
    ['Sec-Fetch-Site: cross-site', 403],
    ['Origin: http://localhost:3000', 200],
    ['Sec-Fetch-Site: same-origin', 200],
  ])('gives for the header "%s" the status %i', async (header, code) => {
    expect((await requested(`Host: localhost\r\n${header}\r\n`)).code).toBe(code);
  });
  it('accepts additional host names that a setting names', async () => {
    const named = await startApi({ ASSAY_ALLOWED_HOSTS: 'assay.test, other.test' });
    const { code } = await raw(`GET /livez HTTP/1.1\r\nHost: Other.test:99\r\nConnection: close\r\n\r\n`, named.url);
    await named.app.close();
    expect(code).toBe(200);
  });
});

describe('a body that does not arrive completely in time', () => {
  it('gets a 408 if the service reads the body as a whole', async () => {
    const answer = await raw(
      `POST /evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"defini`,
    );
    expect(answer.code).toBe(408);
    expect(JSON.parse(answer.body)).toMatchObject({ kind: 'Status', reason: 'Timeout', code: 408 });
  });
  it('gets a 408 if it is a stream without an envelope', async () => {
    const answer = await raw(
      `POST /evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: 50\r\n\r\n`,
    );
    expect(answer.code).toBe(408);
    expect(answer.body).toContain('the client sent nothing for too long');
  });
  it.each([
    ['before its definitions', ''],
    ['before its objects', `${JSON.stringify({ definitions: [widgets, widgets] })}\n`],
  ])('ends a what-if request with a 408 if no data comes %s', async (_, sent) => {
    const answer = await raw(
      `POST /what-if HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: 5000\r\n\r\n${sent}`,
    );
    expect(answer.code).toBe(408);
    expect(answer.body).toContain('the client sent nothing for too long');
  });
  it('ends a stream of verdicts with the Status as the last line, and the connection is closed', async () => {
    const line = `${JSON.stringify({ definitions: [widgets] })}\n${JSON.stringify(widget('a', [1]))}\n`;
    const answer = await raw(
      `POST /evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: 5000\r\n\r\n${line}`,
    );
    expect(answer.code).toBe(200);
    expect(answer.body).toMatch(/"outcome":"accepted"[^]*the client sent nothing for too long/);
  });
  it('ends its stream at the deadline of the request, with a message', async () => {
    const slow = await startApi();
    const line = `${JSON.stringify({ definitions: [], options: { deadline: '300ms' } })}\n`;
    const answer = await raw(
      `POST /evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: 5000\r\n\r\n${line}`,
      slow.url,
    );
    await slow.app.close();
    expect(answer.body).toContain('the deadline of the evaluation passed while its body still came');
  });
  it('leads to a closed connection if the response ends before the body', async () => {
    const long = 'x'.repeat(8 * 1024 * 1024);
    const answer = await raw(
      `POST /evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: 90000000\r\n\r\n${long}`,
    );
    expect(answer.body).toContain('RequestEntityTooLarge');
    expect(answer.headers['connection']).toBe('close');
  });
});

describe('compression of responses', () => {
  /** Sends a batch and returns the answer with its compressed bytes, which `fetch` would decompress. */
  const compressed = (encoding: string, type: string, body: string): Promise<{ readonly headers: object; readonly bytes: Buffer }> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': type, 'accept-encoding': encoding };
      const sent = httpRequest(`${url}/evaluate`, { method: 'POST', headers }, (response) => {
        const blocks: Buffer[] = [];
        response.on('data', (block: Buffer) => blocks.push(block));
        response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(blocks) }));
      });
      sent.on('error', reject).end(body);
    });
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('uses %s if the client accepts it', async (encoding, unpack) => {
    const { headers, bytes } = await compressed(encoding, 'application/json', batch);
    expect(headers).toMatchObject({ 'content-encoding': encoding, vary: expect.stringContaining('accept-encoding') });
    expect(JSON.parse(unpack(bytes).toString())).toMatchObject({ summary: { accepted: 60 } });
  });
  it('is not used for other clients, or for short responses', async () => {
    expect((await compressed('identity', 'application/json', batch)).headers).not.toHaveProperty('content-encoding');
    const short = JSON.stringify({ definitions: [], objects: [{}] });
    expect((await compressed('br', 'application/json', short)).headers).not.toHaveProperty('content-encoding');
  });
});

describe('an overloaded service', () => {
  it('responds to evaluations with 503 and Retry-After, and to probes as usual', async () => {
    const late = await startApi({ ASSAY_MAX_LOOP_DELAY_MS: '1' });
    // The service samples the delay of its event loop. So this timer blocks the loop until a sample includes a delay.
    const busy = setInterval(() => {
      const until = performance.now() + 40;
      while (performance.now() < until);
    }, 1);
    let response: Response;
    do response = await fetch(`${late.url}/evaluations/none`);
    while (response.status === 404);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await response.json()).toMatchObject({ kind: 'Status', reason: 'ServiceUnavailable' });
    expect((await fetch(`${late.url}/livez`)).status).toBe(200);
    clearInterval(busy);
    await late.app.close();
  });
});

describe('a rejection that the service sends before the end of the body', () => {
  it('reaches a client that sends the whole body before it reads', async () => {
    const small = await startApi({ ASSAY_MAX_BODY_BYTES: '100000' });
    const socket = connect(Number(new URL(small.url).port), '127.0.0.1').pause();
    const failures: Error[] = [];
    socket.on('error', (error) => failures.push(error));
    const block = Buffer.alloc(1_000_000, ' ');
    socket.write(
      `POST /evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${30 * block.length}\r\n\r\n`,
    );
    for (let i = 0; i < 30; i++) await new Promise((sent) => socket.write(block, sent));
    let answer = '';
    socket.on('data', (bytes) => (answer += bytes.toString())).resume();
    await new Promise((closed) => socket.once('close', closed));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(failures).toEqual([]);
    await small.app.close();
  });
});

describe('a service with too many open requests', () => {
  it('responds with 429 before it reads a body, and responds to probes as usual', async () => {
    const small = await startApi({ ASSAY_MAX_OPEN_REQUESTS: '2' });
    const port = Number(new URL(small.url).port);
    const open = [0, 1].map(() => connect(port, '127.0.0.1'));
    const head =
      'POST /evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\nExpect: 100-continue\r\n\r\n';
    // The service sends `100 Continue` once the request is open.
    await Promise.all(open.map((socket) => new Promise((goesOn) => socket.once('data', goesOn).write(head))));
    const refused = await raw(`GET /evaluations/none HTTP/1.1\r\n${HEAD}\r\n`, small.url);
    expect([refused.code, refused.headers['retry-after']]).toEqual([429, '1']);
    // All of these requests are of one flow. The bound of a flow has another message.
    expect(refused.body).toContain('too many requests are open, please try again later');
    expect((await fetch(`${small.url}/livez`)).status).toBe(200);
    for (const socket of open) socket.destroy();
    while ((await fetch(`${small.url}/evaluations/none`)).status !== 404);
    await small.app.close();
  });
});

describe('query parameters and headers:', () => {
  it.each(['costPerCall=', 'costPerCall=0x10', 'costPerObject=1e999', 'featureGates=__proto__=true', 'junk=1'])(
    'a query parameter is rejected: %s',
    async (query) => {
      const response = await fetch(`${url}/evaluate?${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: batch,
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ kind: 'Status', reason: 'BadRequest' });
    },
  );
  it.each(['junk=1', 'explain=yes', 'asSent=1', 'featureGates=a=true&featureGates=b=true', 'kubernetesVersion=2'])(
    'a query parameter of a request about a definition is rejected: %s',
    async (query) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}/definitions?${query}`, { method: 'POST', headers, body: JSON.stringify(widgets) });
      expect([response.status, await response.json()]).toMatchObject([400, { kind: 'Status', reason: 'BadRequest' }]);
    },
  );
  it.each(['junk=1', 'from[]=1', 'limit=-1'])('a query parameter of a request for results is rejected: %s', async (query) => {
    const headers = { 'content-type': 'application/json' };
    const begun = await fetch(`${url}/evaluate?wait=0`, { method: 'POST', headers, body: batch });
    expect((await fetch(`${url}${begun.headers.get('location')}/results?${query}`)).status).toBe(400);
  });
  it('a request gets only a media type that its Accept header permits, and otherwise a 406', async () => {
    const ask = async (accept: string): Promise<[number, string | null]> => {
      const headers = { 'content-type': 'application/json', accept };
      const response = await fetch(`${url}/evaluate`, { method: 'POST', headers, body: batch });
      return [response.status, response.headers.get('content-type')?.split(';')[0] ?? null];
    };
    expect(await ask('application/x-ndjson;q=0, application/json')).toEqual([200, 'application/json']);
    expect(await ask('application/json;q=0.1, application/x-ndjson')).toEqual([200, 'application/x-ndjson']);
    expect((await ask('application/json;q=0'))[0]).toBe(406);
    expect((await ask('image/png'))[0]).toBe(406);
  });
  it('the service compares the encoding "identity" without regard to case', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'Identity' };
    expect((await fetch(`${url}/evaluate`, { method: 'POST', headers, body: batch })).status).toBe(200);
  });
});
