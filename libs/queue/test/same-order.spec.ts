import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisQueue } from '../src/bullmq/redis-queue.ts';
import { redisAddressOf } from '../src/bullmq/redis-settings.ts';
import { EmbeddedQueue } from '../src/embedded/embedded-queue.ts';
import { LEVELS } from '#runner/flow';
import { DEFAULT_QUEUE_LIMITS } from '../src/limits.ts';
import type { Claim, EvaluationRecord } from '../src/ports.ts';
import { answer, flowOf, item, recordOf, settingsWith } from './evaluations.ts';
import { redisInstalled, startRedis } from './private-redis.ts';
import type { PrivateRedis } from './private-redis.ts';
import { seededWhole } from '../../../testing/seeded-random.ts';

const OPERATIONS = Number(process.env['QUEUE_OPERATIONS'] ?? 6000);
const SEEDS = (process.env['QUEUE_SEEDS'] ?? '1').split(',').map(Number);
const FLOW_LIMITS = { evaluations: 12, chunks: 60, bytes: 60_000, resultBytes: 150, definitionBytes: 1000 };
// No lease runs out on its own: when that happens is a matter of clocks.
const LIMITS = { ...DEFAULT_QUEUE_LIMITS, evaluations: 60, waitingBytes: 200_000, resultBytes: 2700, leaseMs: 3_600_000 };

/** Tests that perform the same operations on both adapters and require the same answers and the same order of chunks. */
describe.skipIf(!redisInstalled)('embedded queue and Redis scripts', () => {
  let redis: PrivateRedis | undefined;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  it.each(SEEDS)('choose the same chunks, seed %i', async (seed) => {
    const random = seededWhole(seed);
    const among = <T>(values: readonly T[]): T | undefined => values[random(values.length)];
    const queues = [
      new EmbeddedQueue(':memory:', LIMITS),
      new RedisQueue(redisAddressOf(redis?.url ?? ''), { namespace: `order-${seed}`, limits: LIMITS }),
    ] as const;
    const leave = await Promise.all(queues.map((queue) => queue.work.join(6)));
    const ended: Record<string, number>[] = [{}, {}];
    for (const [i, queue] of queues.entries())
      queue.ends.onEnded(({ end }) => {
        const counts = ended[i];
        if (counts) counts[end] = (counts[end] ?? 0) + 1;
      });
    const kept: string[] = [];
    const live: { record: EvaluationRecord; items: number }[] = [];
    const running: [Claim, Claim][] = [];
    const seen = { claims: 0, refusals: 0, cancelled: 0, released: 0, late: 0 };
    let evaluations = 0;

    /** Sends a request to both queues, expects equal answers, and returns the answer. */
    const both = async <T>(ask: (queue: EmbeddedQueue | RedisQueue) => Promise<T>): Promise<T> => {
      const [mine, theirs] = await Promise.all([ask(queues[0]), ask(queues[1])]);
      expect(theirs).toEqual(mine);
      return mine;
    };

    async function accept(): Promise<void> {
      const flow = flowOf(`flow ${random(5)}`, {
        level: among(LEVELS) ?? 'normal',
        division: among(['', '', 'left/right', 'ü']) ?? '',
        weight: 1 + random(3),
        limits: FLOW_LIMITS,
      });
      const digest = `d${random(4)}`;
      const itemMs = await both((queue) => queue.work.expectedItemMs([digest]));
      // Ids are random, and several evaluations come within a millisecond.
      const id = `${random(1e9).toString(36)}-${evaluations++}`;
      const record = recordOf(id, {
        createdAt: 1_760_000_000_000 + (evaluations >> 2),
        flow,
        settings: settingsWith(digest),
        itemMs,
      });
      const accepted = await both((queue) => queue.work.accept(record));
      if (accepted === 'accepted') live.push({ record, items: 0 });
      else seen.refusals++;
    }

    async function enqueue(): Promise<void> {
      const evaluation = among(live);
      if (!evaluation) return;
      const items = Array.from({ length: 1 + random(5) }, () => item('x'.repeat(1 + random(900))));
      const first = evaluation.items;
      const queued = await both((queue) => queue.work.enqueue(evaluation.record.id, first, items));
      if (queued === 'queued') evaluation.items += items.length;
      else if (queued !== 'over') seen.refusals++;
      // A lost reply: the same chunk is sent again.
      if (queued === 'queued' && random(10) === 0) await both((queue) => queue.work.enqueue(evaluation.record.id, first, items));
    }

    async function claim(): Promise<void> {
      if ((await queues[0].work.depth()).waiting === 0) return;
      const [mine, theirs] = await Promise.all(queues.map((queue) => queue.work.claim(AbortSignal.timeout(2000))));
      if (!mine || !theirs) throw new Error('no chunk came');
      seen.claims++;
      const reported = ({ chunk, earlierClaims, queueKey: { level }, celSpent }: Claim): unknown => [
        chunk.evaluation,
        chunk.index,
        chunk.firstItem,
        earlierClaims,
        level,
        celSpent,
      ];
      expect(reported(theirs)).toEqual(reported(mine));
      running.push([mine, theirs]);
    }

    async function finish(): Promise<void> {
      const [claims] = running.splice(random(running.length), 1);
      if (!claims) return;
      const done = async (ask: (queue: EmbeddedQueue | RedisQueue, own: Claim) => Promise<unknown>): Promise<unknown> => {
        const [mine, theirs] = await Promise.all([ask(queues[0], claims[0]), ask(queues[1], claims[1])]);
        expect(theirs).toEqual(mine);
        return mine;
      };
      if (random(8) === 0) {
        seen.released++;
        await done((queue, own) => queue.work.release(own));
        // The consumer that gave it back answers all the same.
        if (random(2) === 0 && (await done((queue, own) => queue.work.commit(own, answer('late'), 5))) === 'gone') seen.late++;
        return;
      }
      // Now and then a chunk takes a hundred times what was expected, or nobody knows.
      const spentMs = random(20) === 0 ? undefined : random(30) === 0 ? 5000 + random(90_000) : random(400) / 8;
      await done((queue, own) => queue.work.commit(own, answer('done', spentMs === undefined ? undefined : spentMs / 2), spentMs));
    }

    async function end(): Promise<void> {
      const [evaluation] = live.splice(random(live.length), 1);
      if (!evaluation) return;
      const { id } = evaluation.record;
      const how = random(4);
      kept.push(id);
      if (how === 0) {
        seen.cancelled++;
        await both((queue) => queue.cancellations.cancel(id));
      } else if (how === 1) await both((queue) => queue.results.forget(id));
      else await both((queue) => queue.work.seal(id));
    }

    /** Deletes a random evaluation that has ended, so that the storage can accept more results. */
    async function forget(): Promise<void> {
      const [id] = kept.splice(random(kept.length), 1);
      if (id !== undefined) await both((queue) => queue.results.forget(id));
    }

    const steps = [accept, enqueue, enqueue, enqueue, enqueue, enqueue, claim, claim, claim, claim, finish, finish, finish, finish];
    try {
      for (let i = 0; i < OPERATIONS; i++) {
        if (random(40) === 0) await end();
        else if (random(70) === 0) await forget();
        else await (among(steps) ?? claim)();
        if (i % 50 === 0) await both(async (queue) => queue.work.depth());
      }
      while ((await queues[0].work.depth()).waiting > 0) await claim();
      while (running.length > 0) await finish();
      await Promise.all(leave.map((go) => go()));
    } finally {
      await Promise.all(queues.map((queue) => queue.close()));
    }
    // A run that meets nothing proves nothing.
    expect(Object.keys(ended[0] ?? {}).toSorted()).toEqual(['cancelled', 'complete', 'tooLarge']);
    expect(ended[0]?.['complete']).toBeGreaterThan(OPERATIONS / 1000);
    expect(ended[1]).toEqual(ended[0]);
    expect(seen.claims).toBeGreaterThan(OPERATIONS / 10);
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(OPERATIONS / 1000);
  });
});
