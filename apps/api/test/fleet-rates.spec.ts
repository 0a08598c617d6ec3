import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisInstalled, startRedis } from '../../../libs/jobs/test/private-redis.ts';
import type { PrivateRedis } from '../../../libs/jobs/test/private-redis.ts';
import { keysFile, sha256 } from './keys-file.ts';
import { startApi } from './start-api.ts';

const PER_SECOND = 20;

/** Checks that two nodes together admit as many requests of one key as a single node would. */
describe.skipIf(!redisInstalled)('the rate of a key over two nodes', () => {
  let redis: PrivateRedis;
  let nodes: { app: NestFastifyApplication; url: string }[] = [];
  beforeAll(async () => {
    redis = await startRedis();
    const keys = ['one', 'two', 'three'].map((name) => ({ name, sha256: sha256(`token-of-${name}`), requestsPerSecond: PER_SECOND }));
    const settings = { ASSAY_REDIS_URL: redis.url, ASSAY_KEYS_FILE: keysFile(keys), ASSAY_THREADS: '1' };
    nodes = await Promise.all([startApi(settings), startApi(settings)]);
  });
  afterAll(async () => {
    await Promise.all(nodes.map(({ app }) => app.close()));
    redis.stop();
  });

  /** Requests an evaluation that does not exist. The answer is 404 if the key is within its rate, or 503 while Redis is stopped. */
  const ask = async (key: string, node: number): Promise<Response> => {
    const response = await fetch(`${nodes[node]?.url}/evaluations/none`, { headers: { 'x-api-key': `token-of-${key}` } });
    await response.text();
    return response;
  };

  /**
   * Sends 60 requests per second for `ms` milliseconds, nine of ten to the first node. Returns the number of sent and admitted requests,
   * the elapsed seconds, and the slowest answer in ms.
   */
  async function load(key: string, ms: number): Promise<{ sent: number; admitted: number; seconds: number; slowestMs: number }> {
    const begin = performance.now();
    let [admitted, slowestMs] = [0, 0];
    const open: Promise<void>[] = [];
    const send = async (node: number): Promise<void> => {
      const sent = performance.now();
      if ((await ask(key, node)).status !== 429) admitted += 1;
      slowestMs = Math.max(slowestMs, performance.now() - sent);
    };
    for (let n = 0; performance.now() - begin < ms; n++) {
      open.push(send(n % 10 < 9 ? 0 : 1));
      await pause(1000 / 60);
    }
    await Promise.all(open);
    return { sent: open.length, admitted, seconds: (performance.now() - begin) / 1000, slowestMs };
  }

  it('is the configured rate for both nodes together, and permits the burst only once', async () => {
    const { sent, admitted, seconds } = await load('one', 4000);
    expect(admitted).toBeLessThanOrEqual(PER_SECOND + 1.1 * PER_SECOND * seconds);
    expect(admitted).toBeGreaterThanOrEqual(0.9 * Math.min(sent, PER_SECOND * seconds));
  });

  it('leads to the correct waiting time in a 429', async () => {
    const answers = await Promise.all(Array.from({ length: 2 * PER_SECOND }, (_, n) => ask('two', n % 2)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    const seconds = Number(refused[0]?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    await pause(1000 * seconds);
    expect((await ask('two', 0)).status).toBe(404);
  });

  it('is divided among nodes while Redis does not respond, without delaying requests', async () => {
    await load('three', 300);
    redis.signal('SIGSTOP');
    try {
      const { sent, admitted, slowestMs } = await load('three', 3500);
      expect(admitted).toBeGreaterThan(0.5 * Math.min(sent, PER_SECOND * 3.5));
      expect(slowestMs).toBeLessThan(5000);
    } finally {
      redis.signal('SIGCONT');
    }
  });
});
