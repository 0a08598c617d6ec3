import fastify from 'fastify';
import { request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Drain } from './drain.ts';

/** Returns a test server that answers only when the test tells it to. The result also reports which requests have reached the server. */
async function start() {
  const server = fastify();
  const drain = new Drain();
  drain.watch(server);
  const came: string[] = [];
  server.addHook('onRequest', (request, _reply, done) => {
    came.push(request.url);
    done();
  });
  const arrived = async (count: number): Promise<void> => {
    while (came.length < count) await setImmediate();
  };
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  server.post('/slow', async () => {
    await answered;
    return {};
  });
  return { server, drain, answer, arrived, url: `${await server.listen({ port: 0, host: '127.0.0.1' })}/slow` };
}

describe('draining the service before it ends', () => {
  it('waits for open requests within its time limit', async () => {
    const { server, drain, answer, arrived, url } = await start();
    const response = fetch(url, { method: 'POST' });
    await arrived(1);
    expect(await drain.begin(50)).toBe(1);
    answer();
    expect((await response).status).toBe(200);
    expect(await drain.begin(60_000)).toBe(0);
    await server.close();
  });

  it('does not wait for clients that disconnected during or after their upload', async () => {
    const { server, drain, arrived, url } = await start();
    for (const [i, sent] of ['{"whole":1}', '{'].entries()) {
      const headers = { 'content-type': 'application/json', 'content-length': '11' };
      const call = request(url, { method: 'POST', headers });
      call.on('error', () => undefined);
      call.write(sent);
      await arrived(i + 1);
      call.destroy();
    }
    // If the drain waited for these clients, some would be left at the end of the time.
    expect(await drain.begin(5000)).toBe(0);
    await server.close();
  });
});
