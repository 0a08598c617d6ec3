import { steadyNow } from '#documents';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RedisQueue } from '../src/bullmq/redis-queue.ts';
import { redisAddressOf } from '../src/bullmq/redis-address.ts';
import { EmbeddedQueue } from '../src/embedded/embedded-queue.ts';
import { DEFAULT_QUEUE_LIMITS } from '../src/limits.ts';
import { answer, item, recordOf } from './evaluations.ts';
import { redisInstalled, startRedis } from './private-redis.ts';

const HOUR_MS = 3_600_000;

/** Simulates a correction of the wall clock by `ms` ms. */
function jump(ms: number): void {
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + ms);
}
afterEach(() => void vi.restoreAllMocks());

describe('when the wall clock jumps', () => {
  it.each([
    ['forward', 2 * HOUR_MS],
    ['back', -2 * HOUR_MS],
  ])('%s, an embedded queue stores results for the intended time', async (_, ms) => {
    const queue = new EmbeddedQueue(':memory:', { ...DEFAULT_QUEUE_LIMITS, heartbeatMs: 10, retentionMs: HOUR_MS });
    await queue.jobs.submit(recordOf('kept'), [[item('{}')]]);
    const job = await queue.jobs.begin('kept');
    if (!job) throw new Error('the job cannot begin');
    await queue.jobs.store(job, { part: 0, bytes: 2, result: answer('one') });
    jump(ms);
    // All expired results have been deleted after this pause.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await queue.jobs.result('kept', 0))?.verdicts).toEqual(['one']);
    await queue.close();
  });

  it.skipIf(!redisInstalled)('the process that begins a job measures the rest of its deadline with its own clock', async () => {
    const redis = await startRedis();
    const queue = new RedisQueue(redisAddressOf(redis.url));
    const record = recordOf('e1');
    const deadlineAt = steadyNow() + 60_000;
    await queue.jobs.submit({ ...record, settings: { ...record.settings, deadlineAt } }, [[item('{}')]]);
    // The clock of this process is an hour ahead of the other process's clock.
    const { timeOrigin } = performance;
    vi.spyOn(performance, 'timeOrigin', 'get').mockReturnValue(timeOrigin + HOUR_MS);
    const begun = await queue.jobs.begin('e1');
    const leftMs = (begun?.record.settings.deadlineAt ?? 0) - steadyNow();
    vi.restoreAllMocks();
    expect(leftMs).toBeGreaterThan(30_000);
    expect(leftMs).toBeLessThanOrEqual(60_000);
    await queue.close();
    redis.stop();
  });
});
