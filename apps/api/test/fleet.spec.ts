import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { QueueAdapter } from '#queue';
import { redisInstalled, startRedis } from '../../../libs/queue/test/private-redis.ts';
import type { PrivateRedis } from '../../../libs/queue/test/private-redis.ts';
import { QUEUE } from '../src/engine/queue.token.ts';
import { slow, slowObject } from './slow.ts';
import { startApi } from './start-api.ts';

const WORKER = fileURLToPath(new URL('../../worker/src/main.ts', import.meta.url));

/** The service and its workers as processes of their own, over a Redis that may be harmed. */
describe.skipIf(!redisInstalled)('a fleet', { timeout: 60_000 }, () => {
  let redis: PrivateRedis;
  let app: NestFastifyApplication;
  let url = '';
  let workers: ChildProcess[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    ({ app, url } = await startApi({ ASSAY_REDIS_URL: redis.url }));
  });
  afterAll(async () => {
    await app.close();
    redis.stop();
  });
  afterEach(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    workers = [];
    // Dead consumers count until they were not heard of for as long as a lease.
    await redis.flush();
  });

  const queue = (): QueueAdapter => app.get<QueueAdapter>(QUEUE);

  /** A worker that takes part. */
  async function startWorker(): Promise<ChildProcess> {
    const { seats } = await queue().work.depth();
    const worker = spawn(process.execPath, ['--conditions=source', WORKER], {
      env: { ...process.env, PORT: '0', ASSAY_REDIS_URL: redis.url, ASSAY_THREADS: '1' },
      stdio: 'ignore',
    });
    workers.push(worker);
    await until(async () => (await queue().work.depth()).seats > seats);
    return worker;
  }

  async function until(holds: () => Promise<boolean>): Promise<void> {
    for (let i = 0; i < 2000; i++) {
      if (await holds()) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error('it never came about');
  }
  const untilClaimed = (): Promise<void> => until(async () => (await queue().work.depth()).claimed > 0);

  function evaluate(objects: unknown[], options: unknown = {}): Promise<Response> {
    const body = JSON.stringify({ definitions: [slow], objects, options });
    return fetch(`${url}/evaluate`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  }

  it("a killed worker's chunk runs elsewhere within 15 seconds, and nothing is doubled", async () => {
    const first = await startWorker();
    const objects = Array.from({ length: 2 }, (_, i) => slowObject(`o${i}`, 300));
    const alone = performance.now();
    expect((await evaluate(objects)).status).toBe(200);
    const aloneMs = performance.now() - alone;
    const answer = evaluate(objects);
    await untilClaimed();
    // Nothing is heard of it from here on; it dies for good when there is another one.
    first.kill('SIGSTOP');
    const silent = performance.now();
    expect(await queue().work.depth()).toMatchObject({ claimed: 1 });
    await startWorker();
    first.kill('SIGKILL');
    const starting = performance.now() - silent;
    expect(await (await answer).json()).toMatchObject({
      items: objects.map((_, index) => ({ index, outcome: 'accepted' })),
      summary: { items: 2, accepted: 2 },
    });
    // Starting a worker, and judging, take what they take on a busy machine.
    expect(performance.now() - silent - starting - 3 * aloneMs).toBeLessThan(15_000);
  });

  it('an evaluation whose keys vanish is the 503 of its request, and the next one is served', async () => {
    await startWorker();
    const answer = evaluate([slowObject('a', 900)]);
    await untilClaimed();
    await redis.flush();
    const flushed = performance.now();
    const response = await answer;
    expect(performance.now() - flushed).toBeLessThan(3000);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ reason: 'ServiceUnavailable', message: expect.stringContaining('was lost') as string });
    expect(await (await evaluate([slowObject('b', 2)])).json()).toMatchObject({ summary: { accepted: 1 } });
  });

  it('without workers the deadline ends a request', async () => {
    const asked = performance.now();
    const response = await evaluate([slowObject('a', 2)], { deadline: '200ms' });
    expect(response.status).toBe(408);
    expect(performance.now() - asked).toBeLessThan(9000);
    expect(await queue().work.depth()).toMatchObject({ waiting: 0, claimed: 0 });
  });
});
