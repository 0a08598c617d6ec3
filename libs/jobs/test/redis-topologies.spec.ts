import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { thorough } from '../../../testing/thorough.ts';
import { inspectRedis } from '../src/bullmq/check-redis.ts';
import { RedisQueue } from '../src/bullmq/redis-queue.ts';
import { redisAddressOf } from '../src/bullmq/redis-address.ts';
import { linesOf } from '#documents';
import { FleetSeats, OfferServer } from '#runner';
import { queueKeyOf } from '#runner/flow';
import { logOnly } from '#telemetry';
import { DEFAULT_QUEUE_LIMITS } from '../src/limits.ts';
import { isUnavailable } from '../src/unavailable.ts';
import { queueContract } from './contract.ts';
import { answer, item, recordOf } from './evaluations.ts';
import { sentinelInstalled, startCluster, startWatchedPair } from '../../../testing/redis-topologies.ts';
import type { Topology, WatchedPair } from '../../../testing/redis-topologies.ts';

/** Repeats a request while the storage is unavailable, as clients and consumers do. */
async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

describe.skipIf(!sentinelInstalled || !thorough)('a Redis master with three sentinels', () => {
  let pair: WatchedPair | undefined;
  beforeAll(async () => {
    pair = await startWatchedPair();
  });
  afterAll(() => pair?.stop());

  it('is usable, and after a fail-over the queue continues with all replicated writes', async () => {
    const address = redisAddressOf(pair?.url ?? '');
    expect(await inspectRedis(address)).toEqual({ kind: 'usable', warnings: [] });
    const reported: string[] = [];
    const queue = new RedisQueue(address, { namespace: 'watched', report: ({ state }) => reported.push(state) });
    expect(await queue.jobs.submit(recordOf('e1'), [[item('{}')], [item('{}')]])).toBe('accepted');
    const first = await queue.jobs.begin('e1');
    if (!first) throw new Error('the job did not begin');
    expect(await queue.jobs.store(first, { part: 0, bytes: 2, result: answer('before') })).toBe('stored');
    // Redis acknowledges a write before it copies the write to the replica. So the test waits for the copy.
    await pair?.copied();
    await pair?.failOver();
    expect((await patiently(() => queue.jobs.result('e1', 0)))?.verdicts).toEqual(['before']);
    const stop = queue.line.serve(async (id) => {
      const job = await queue.jobs.begin(id);
      if (job?.done.has(0) && (await queue.jobs.part(job, 1))?.firstItem === 1)
        await queue.jobs.store(job, { part: 1, bytes: 2, result: answer('after') });
      return 'over';
    });
    await expect.poll(() => patiently(() => queue.jobs.progress('e1'))).toMatchObject({ phase: 'complete', partsDone: 2 });
    await stop();
    expect(reported).toContain('away');
    await queue.close();
  });
});

describe.skipIf(!sentinelInstalled || !thorough)('a Redis cluster of three masters', () => {
  let cluster: Topology | undefined;
  let namespaces = 0;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.stop());
  const address = () => redisAddressOf(cluster?.url ?? '');

  it('is usable with the address of the cluster, and rejected with the address of a single server', async () => {
    expect(await inspectRedis(address())).toEqual({ kind: 'usable', warnings: [] });
    const one = redisAddressOf((cluster?.url ?? '').replace('+cluster', '').split(',')[0] ?? '');
    expect(await inspectRedis(one)).toMatchObject({ kind: 'wrong', reason: expect.stringContaining('redis+cluster') as string });
  });

  it('transfers offered tasks between processes', async () => {
    const [one, other] = [new RedisQueue(address(), { namespace: 'offers' }), new RedisQueue(address(), { namespace: 'offers' })];
    const leave = await other.seats.join(1);
    const result = { kind: 'done', result: answer('there'), spentMs: 5 } as const;
    const serving = { seats: () => 1, perform: () => Promise.resolve(result), failed: () => undefined };
    const server = new OfferServer(other.offers(), serving);
    const seats = new FleetSeats(one.offers(), 'runs', logOnly());
    const work = { kind: 'evaluate', firstItem: 0, items: [item('{}')], settings: recordOf('e').settings } as const;
    const place = { queueKey: queueKeyOf(recordOf('e')), expectedMs: 5, holder: recordOf('e').flow };
    // The first offers wait for the subscriptions of both processes.
    const ask = async (): Promise<unknown> => {
      await seats.refresh();
      return seats.run(work, place);
    };
    // Verdicts are transferred as bytes.
    const received = { ...result, result: { ...result.result, lines: linesOf(result.result) } };
    await expect.poll(ask).toEqual(received);
    seats.close();
    await server.end();
    await leave();
    await Promise.all([one.close(), other.close()]);
  });

  queueContract('Redis Cluster', {
    open: (limits) =>
      Promise.resolve(new RedisQueue(address(), { namespace: `cluster-${++namespaces}`, limits: { ...DEFAULT_QUEUE_LIMITS, ...limits } })),
    reopen: () => Promise.resolve(new RedisQueue(address(), { namespace: `cluster-${namespaces}` })),
  });
});
