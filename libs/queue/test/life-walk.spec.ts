import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { thorough } from '../../../testing/thorough.ts';
import { Keys } from '../src/bullmq/keys.ts';
import { RECONCILE } from '../src/bullmq/lua/commands.ts';
import { RedisCancellations } from '../src/bullmq/redis-cancellations.ts';
import { RedisConnections } from '../src/bullmq/connections.ts';
import { RedisResults } from '../src/bullmq/redis-results.ts';
import { redisAddressOf } from '../src/bullmq/redis-settings.ts';
import { RedisStore } from '../src/bullmq/redis-store.ts';
import { RedisWork } from '../src/bullmq/redis-work.ts';
import { EmbeddedCancellations } from '../src/embedded/embedded-cancellations.ts';
import { EmbeddedResults } from '../src/embedded/embedded-results.ts';
import { EmbeddedWork } from '../src/embedded/embedded-work.ts';
import { EvaluationStore } from '../src/embedded/evaluation-store.ts';
import { Journal } from '../src/embedded/journal.ts';
import { FlowLoad, PriceBook } from '#runner/flow';
import { DEFAULT_QUEUE_LIMITS } from '../src/limits.ts';
import type { Claim, QueueAdapter } from '../src/ports.ts';
import { answer, item, recordOf } from './evaluations.ts';
import { LifeModel, STEPS, walks } from './life-model.ts';
import type { Seen, Step } from './life-model.ts';
import { redisInstalled, startRedis } from './private-redis.ts';
import type { PrivateRedis } from './private-redis.ts';

const LENGTH = Number(process.env['WALK_LENGTH'] ?? (thorough ? 7 : 6));
const LIMITS = { ...DEFAULT_QUEUE_LIMITS, resultBytes: 100, leaseMs: 3_600_000 };
/** Number of sequences that are tested at the same time over one connection. */
const SIDE_BY_SIDE = 200;

/** Ports of one queue, and functions that cause failures of its storage. */
interface Walked extends Pick<QueueAdapter, 'results' | 'cancellations'> {
  readonly work: QueueAdapter['work'] & { expireLeases(): Promise<void> };
  /** Deletes the waiting chunks and triggers the detection of their loss. Undefined if this queue cannot lose chunks. */
  readonly lose: (() => Promise<void>) | undefined;
  /** Releases the resources of the walk (a sequence of steps on one evaluation). Called when the walk ends. */
  readonly close: () => void;
}

/** Walk that applies a sequence of steps, such as claims and commits, to one evaluation of a queue. */
class Walk {
  readonly #ports: Walked;
  readonly #claims: Claim[] = [];
  readonly #id: string;
  #sent = 0;

  constructor(ports: Walked, id: string) {
    this.#ports = ports;
    this.#id = id;
  }

  async step(step: Step): Promise<Seen> {
    const given = await this.#take(step);
    const progress = await this.#ports.results.progress(this.#id);
    const { waiting, claimed } = await this.#ports.work.depth();
    const shown = progress && `${progress.phase} ${progress.chunksDone}/${progress.chunksTotal}`;
    return { answer: given, progress: shown, waiting, claimed };
  }

  async #take(step: Step): Promise<unknown> {
    const { work, results, cancellations, lose } = this.#ports;
    const last = this.#claims.at(-1);
    switch (step) {
      case 'accept': {
        const accepted = await work.accept(recordOf(this.#id, { createdAt: 0 }));
        if (accepted === 'accepted') this.#sent = 0;
        return accepted;
      }
      case 'enqueue': {
        const queued = await work.enqueue(this.#id, this.#sent, [item('{}')]);
        if (queued === 'queued') this.#sent++;
        return queued;
      }
      case 'resend':
        return work.enqueue(this.#id, 0, [item('{}')]);
      case 'seal':
        return work.seal(this.#id);
      case 'claim':
        return this.#claim();
      case 'renew':
        return last && (await work.renew([last]))[0];
      case 'commit':
        return last && work.commit(last, answer('x'), 1);
      case 'large commit':
        return last && work.commit(last, answer('x'.repeat(101)), 1);
      case 'stale commit':
        return this.#claims[0] && work.commit(this.#claims[0], answer('x'), 1);
      case 'release':
        return last && work.release(last);
      case 'expire':
        return work.expireLeases();
      case 'cancel':
        return cancellations.cancel(this.#id);
      case 'lose':
        return lose?.();
      case 'forget':
        return results.forget(this.#id);
    }
  }

  async #claim(): Promise<string> {
    const now = new AbortController();
    const claiming = this.#ports.work.claim(now.signal);
    now.abort();
    const claim = await claiming;
    if (!claim) return 'nothing';
    this.#claims.push(claim);
    return `${claim.chunk.index} claimed ${claim.earlierClaims} times before`;
  }
}

/** Applies the same steps to a queue and to the model, and fails if their visible states differ. */
async function compare(open: (id: string) => Walked, steps: readonly Step[], id: string): Promise<void> {
  const model = new LifeModel();
  const ports = open(id);
  const walk = new Walk(ports, id);
  for (const [i, step] of steps.entries()) {
    const expected = model.step(step);
    const seen = await walk.step(step);
    if (JSON.stringify(seen) !== JSON.stringify(expected)) expect(seen, steps.slice(0, i + 1).join(', ')).toEqual(expected);
  }
  ports.close();
}

async function compareAll(open: (id: string) => Walked, all: readonly (readonly Step[])[]): Promise<void> {
  for (let from = 0; from < all.length; from += SIDE_BY_SIDE)
    await Promise.all(all.slice(from, from + SIDE_BY_SIDE).map((steps, i) => compare(open, steps, `e${from + i}`)));
}

describe('every sequence of events', () => {
  const withoutLoss = walks(
    LENGTH,
    STEPS.filter((step) => step !== 'lose'),
  );

  it('that is walked is long enough to meet all states', () => {
    const states = new Set(
      walks(LENGTH, STEPS).map((steps) => {
        const model = new LifeModel();
        for (const step of steps) model.step(step);
        return model.state;
      }),
    );
    expect([...states].toSorted()).toEqual(['cancelled', 'complete', 'failed', 'receiving', 'running', 'tooLarge', 'unknown']);
  });

  it('ends as the table says in the embedded queue', async () => {
    await compareAll(() => {
      const journal = new Journal(':memory:');
      const parts = { journal, limits: LIMITS, load: new FlowLoad(), prices: new PriceBook(), now: () => Date.now() };
      const store = new EvaluationStore(parts);
      const [work, results, cancellations] = [new EmbeddedWork(store), new EmbeddedResults(store), new EmbeddedCancellations(store)];
      return { work, results, cancellations, lose: undefined, close: () => journal.close() };
    }, withoutLoss);
  });

  describe.skipIf(!redisInstalled)('in Redis', () => {
    let server: PrivateRedis;
    let connections: RedisConnections;
    let shared: RedisStore;
    beforeAll(async () => {
      server = await startRedis();
      connections = new RedisConnections(redisAddressOf(server.url));
      shared = RedisStore.over(connections, 'walk', LIMITS);
    });
    afterAll(() => {
      shared.close();
      connections.close();
      server.stop();
    });

    it('ends as the table says', async () => {
      let walked = 0;
      const { redis, announcements } = shared;
      const nobody = { add: () => Promise.resolve(), take: () => Promise.resolve(false) };
      await compareAll(
        (id) => {
          const store = new RedisStore({ redis, announcements, keys: new Keys(`walk-${walked++}`), limits: LIMITS });
          const { prefix } = store.keys;
          const lose = async (): Promise<void> => {
            await redis.del(`${prefix}:wait:${id}`, `${prefix}:reconciling`);
            await store.scripts.run(RECONCILE, {
              periodMs: 1000,
              graceMs: 10_000,
              nonce: randomUUID(),
            });
          };
          const work = new RedisWork(store, nobody);
          return {
            work,
            results: new RedisResults(store),
            cancellations: new RedisCancellations(store),
            lose,
            close: () => undefined,
          };
        },
        walks(LENGTH, STEPS),
      );
    });
  });
});
