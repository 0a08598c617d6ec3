import fastify from 'fastify';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Drain } from './drain.ts';

/** A server that answers when the test says so. */
async function start() {
  const server = fastify();
  const drain = new Drain();
  drain.watch(server);
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  server.post('/slow', async () => {
    await answered;
    return {};
  });
  return { server, drain, answer, url: `${await server.listen({ port: 0, host: '127.0.0.1' })}/slow` };
}

describe('draining', () => {
  it('waits for open requests, as long as it may', async () => {
    const { server, drain, answer, url } = await start();
    const response = fetch(url, { method: 'POST' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await drain.begin(50)).toBe(1);
    answer();
    expect((await response).status).toBe(200);
    expect(await drain.begin(5000)).toBe(0);
    await server.close();
  });

  it('does not wait for clients that hung up, before they had sent all or after', async () => {
    const { server, drain, url } = await start();
    for (const sent of ['{"whole":1}', '{']) {
      const headers = { 'content-type': 'application/json', 'content-length': '11' };
      const call = request(url, { method: 'POST', headers });
      call.on('error', () => undefined);
      call.write(sent);
      await new Promise((resolve) => setTimeout(resolve, 100));
      call.destroy();
    }
    const began = performance.now();
    expect(await drain.begin(5000)).toBe(0);
    expect(performance.now() - began).toBeLessThan(2000);
    await server.close();
  });
});
