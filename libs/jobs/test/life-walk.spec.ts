import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { thorough } from '../../../testing/thorough.ts';
import { RedisConnections } from '../src/bullmq/connections.ts';
import { Keys } from '../src/bullmq/keys.ts';
import { END } from '../src/bullmq/lua/commands.ts';
import { RedisJobs } from '../src/bullmq/redis-jobs.ts';
import { redisAddressOf } from '../src/bullmq/redis-address.ts';
import { RedisStore } from '../src/bullmq/redis-store.ts';
import { EmbeddedJobs } from '../src/embedded/embedded-jobs.ts';
import { EmbeddedLine } from '../src/embedded/embedded-line.ts';
import { Journal } from '../src/embedded/journal.ts';
import { LiveJobs } from '../src/embedded/live-jobs.ts';
import { FlowLoad } from '#runner/flow';
import { EVALUATION_JOBS } from '../src/life/evaluation-jobs.ts';
import { DEFAULT_QUEUE_LIMITS } from '../src/limits.ts';
import type { BegunJob } from '../src/ports.ts';
import type { SteppedJobs } from './contract.ts';
import { answer, item, recordOf } from './evaluations.ts';
import { LifeModel, STEPS, walks } from './life-model.ts';
import type { Seen, Step } from './life-model.ts';
import { redisInstalled, startRedis } from './private-redis.ts';
import type { PrivateRedis } from './private-redis.ts';

const LENGTH = Number(process.env['WALK_LENGTH'] ?? (thorough ? 8 : 7));
const LIMITS = { ...DEFAULT_QUEUE_LIMITS, resultBytes: 100, leaseMs: 3_600_000 };
/** Number of sequences that are tested at the same time over one connection. */
const SIDE_BY_SIDE = 200;

/** Store of jobs, and functions that cause failures of its storage. */
interface Walked {
  readonly jobs: SteppedJobs;
  /** Reports that the storage lost part of the job. */
  readonly lose: () => Promise<void>;
  /** Releases the resources of the walk (a sequence of steps on one job). Called when the walk ends. */
  readonly close: () => void;
}

/** Walk that applies a sequence of steps, such as starts and results, to one job of a store. */
class Walk {
  readonly #ports: Walked;
  readonly #starts: BegunJob[] = [];
  readonly #id: string;
  readonly #model: LifeModel;
  #sent = 0;

  constructor(ports: Walked, id: string, model: LifeModel) {
    this.#ports = ports;
    this.#id = id;
    this.#model = model;
  }

  /** Takes a step. The model must not have taken it yet, because it knows which part has no result. */
  async step(step: Step): Promise<Seen> {
    const given = await this.#take(step);
    const progress = await this.#ports.jobs.progress(this.#id);
    const { waiting } = await this.#ports.jobs.depth();
    const shown = progress && `${progress.phase} ${progress.partsDone}/${progress.partsTotal}`;
    return { answer: given, progress: shown, waiting };
  }

  async #take(step: Step): Promise<unknown> {
    const { jobs, lose } = this.#ports;
    const [first, last] = [this.#starts[0], this.#starts.at(-1)];
    switch (step) {
      case 'add': {
        const accepted = await jobs.add(recordOf(this.#id, { createdAt: 0 }), [], 'partial');
        if (accepted === 'accepted') this.#sent = 0;
        return accepted;
      }
      case 'append': {
        const added = await jobs.append(this.#id, this.#sent, [[item('{}')]], 'partial');
        if (added === 'added') this.#sent++;
        return added;
      }
      case 'resend':
        return jobs.append(this.#id, 0, [[item('{}')]], 'partial');
      case 'seal':
        return void (await jobs.append(this.#id, this.#sent, [], 'whole'));
      case 'begin':
        return this.#begin();
      case 'hold':
        return last && (await jobs.held([last]))[0];
      case 'note':
        return last && jobs.note(last, undefined);
      case 'stale note':
        return first && jobs.note(first, undefined);
      case 'store':
        return last && this.#store(last, this.#model.next);
      case 'large store':
        return last && this.#store(last, this.#model.next, 'x'.repeat(101));
      case 'stale store':
        return first && this.#store(first, this.#model.next);
      case 'store again':
        return last && this.#store(last, 0);
      case 'cancel':
        return jobs.cancel(this.#id);
      case 'lose':
        return lose();
      case 'forget':
        return jobs.forget(this.#id);
    }
  }

  #store(job: BegunJob, part: number, verdict = 'x'): Promise<string> {
    return this.#ports.jobs.store(job, { part, bytes: 2, result: answer(verdict) });
  }

  async #begin(): Promise<string> {
    const job = await this.#ports.jobs.begin(this.#id);
    if (!job) return 'nothing';
    this.#starts.push(job);
    return `${job.done.size} of ${job.parts} done`;
  }
}

/** Applies the same steps to a store and to the model, and fails if their visible states differ. */
async function compare(open: (id: string) => Walked, steps: readonly Step[], id: string): Promise<void> {
  const model = new LifeModel();
  const ports = open(id);
  const walk = new Walk(ports, id, model);
  for (const [i, step] of steps.entries()) {
    const seen = await walk.step(step);
    const expected = model.step(step);
    if (JSON.stringify(seen) !== JSON.stringify(expected)) expect(seen, steps.slice(0, i + 1).join(', ')).toEqual(expected);
  }
  ports.close();
}

async function compareAll(open: (id: string) => Walked, all: readonly (readonly Step[])[]): Promise<void> {
  for (let from = 0; from < all.length; from += SIDE_BY_SIDE)
    await Promise.all(all.slice(from, from + SIDE_BY_SIDE).map((steps, i) => compare(open, steps, `e${from + i}`)));
}

describe('the sequences of events on a job', () => {
  const all = walks(LENGTH, STEPS);

  it('are long enough for all states to occur', () => {
    const states = new Set(
      all.flatMap((steps) => {
        const model = new LifeModel();
        return steps.map((step) => (model.step(step), model.state));
      }),
    );
    expect([...states].toSorted()).toEqual(['cancelled', 'complete', 'failed', 'receiving', 'running', 'tooLarge', 'unknown']);
  });

  it('lead to the states of the transition table, with the embedded store', async () => {
    await compareAll((id) => {
      const journal = new Journal(':memory:');
      const live = new LiveJobs({
        kind: EVALUATION_JOBS,
        journal: journal.jobs(EVALUATION_JOBS),
        limits: LIMITS,
        load: new FlowLoad(),
        line: new EmbeddedLine(),
        now: () => Date.now(),
      });
      const lose = (): Promise<void> => {
        const job = live.get(id);
        if (job) live.happen(job, 'lose');
        return Promise.resolve();
      };
      return { jobs: new EmbeddedJobs(live), lose, close: () => journal.close() };
    }, all);
  });

  describe.skipIf(!redisInstalled)('with Redis', () => {
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

    it('lead to the states of the transition table', async () => {
      let walked = 0;
      const { redis, announcements } = shared;
      const nobody = { add: () => Promise.resolve(), remove: () => Promise.resolve() };
      await compareAll((id) => {
        const store = new RedisStore({ redis, announcements, keys: new Keys(`walk-${walked++}`), limits: LIMITS });
        const lose = async (): Promise<void> => void (await store.scripts.run(END, { id, event: 'lose', nonce: randomUUID() }));
        return { jobs: new RedisJobs(store, EVALUATION_JOBS, nobody), lose, close: () => undefined };
      }, all);
    });
  });
});
