import { steadyNow } from '#evaluation';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Sealing } from '../src/at-rest/sealing.ts';
import { claimOf, packChunk, packRecord } from '../src/bullmq/packing.ts';
import { EmbeddedQueue } from '../src/embedded/embedded-queue.ts';
import { DEFAULT_QUEUE_LIMITS } from '../src/limits.ts';
import { answer, item, recordOf } from './evaluations.ts';

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
  ])('%s, an embedded queue keeps leases and results for as long as it said', async (_, ms) => {
    const queue = new EmbeddedQueue(':memory:', { ...DEFAULT_QUEUE_LIMITS, heartbeatMs: 10, retentionMs: HOUR_MS, leaseMs: 300 });
    await queue.work.submit(recordOf('kept'), [[item('{}')]]);
    const done = await queue.work.claim(AbortSignal.timeout(60_000));
    if (!done) throw new Error('no chunk came');
    await queue.work.commit(done, answer('one'));
    await queue.work.submit(recordOf('lent'), [[item('{}')]]);
    const abandoned = await queue.work.claim(AbortSignal.timeout(60_000));
    jump(ms);
    // Its consumer never renews the lease: it runs out in its time, and by then everything that has expired was forgotten.
    const again = await queue.work.claim(AbortSignal.timeout(60_000));
    expect(again?.chunk).toEqual(abandoned?.chunk);
    expect((await queue.results.result('kept', 0))?.verdicts).toEqual(['one']);
    await queue.close();
  });

  it('the consumer of a chunk counts what is left of its deadline by its own clock', () => {
    const sealing = new Sealing();
    const record = recordOf('e1');
    // As another process wrote it, whose clock was an hour behind when it began.
    const settings = { ...record.settings, deadlineAt: steadyNow() - HOUR_MS + 60_000 };
    const reported = { lease: 'l', chunk: 0, claims: 0, cost: 1, celSpent: 0, waitedMs: 0, leftMs: 60_000 };
    const stored = [
      Buffer.from(JSON.stringify(reported)),
      packChunk(sealing, 0, [item('{}')]),
      packRecord(sealing, { ...record, settings }),
    ];
    const earliest = steadyNow() + 60_000;
    const deadlineAt = claimOf(sealing, stored)?.chunk.settings.deadlineAt ?? 0;
    expect(deadlineAt).toBeGreaterThanOrEqual(earliest);
    expect(deadlineAt).toBeLessThanOrEqual(steadyNow() + 60_000);
  });
});
