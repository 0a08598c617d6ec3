import { Job, Queue, Worker } from 'bullmq';
import { randomUUID } from 'node:crypto';
import { steadyNow } from '#evaluation';
import type { Connection, RedisConnections } from './connections.ts';

const QUEUE = 'runs';
/** Taking a job waits for so long, s; then its taker looks again. */
const WAIT_SECONDS = 10;
/** After a failure to take a job, and after an answer that came at once without one, ms. */
const PAUSE_MS = 500;
/** A job is never failed by BullMQ: the consumer decides how often a chunk is tried. */
const NEVER = 2 ** 31 - 1;

/** A run of an evaluation's items as operators see it: the data of a job. */
export interface Run {
  readonly evaluation: string;
  readonly chunk: number;
  readonly flow: string;
  readonly items: number;
  readonly bytes: number;
}

/** A run that waits, with the id and the priority of its job. */
export interface WaitingRun extends Run {
  readonly job: string;
  readonly priority: number;
}

/** A run that BullMQ handed over. It stays this consumer's while its lock is prolonged. */
export interface TakenRun extends Run {
  readonly job: string;
  /** Of the lock. */
  readonly token: string;
  /** Prolongs the lock, ms. False if it is lost. */
  prolong(ms: number): Promise<boolean>;
  /** The job is over. If this does not reach Redis, the lock runs out, and whoever takes the job next ends it. */
  end(): void;
  /** Gives the job back, before others of its priority. */
  giveBack(): Promise<void>;
}

/** BullMQ's jobs as `RedisWork` uses them. */
export type RunQueue = Pick<RunJobs, 'add' | 'take' | 'giveBackAll' | 'changePriorities'>;

/**
 * BullMQ's jobs, one for each run: waiting, order by priority, lock, and stalled check are BullMQ's. Scripts of ours (`lua/`) decide which claims count and
 * store results. Jobs are fetched one by one as seats are free, not by a processor; so renewal is ours, too.
 */
export class RunJobs {
  readonly #queue: Queue;
  readonly #worker: Worker;
  #taking: Promise<TakenRun | undefined> | undefined;

  /** `redis`: the connection for commands. Taking blocks, so it has its own. */
  constructor(connections: RedisConnections, redis: Connection, { prefix, leaseMs, stalledMs }: JobSettings) {
    this.#queue = new Queue(QUEUE, { connection: redis, prefix });
    this.#worker = new Worker(QUEUE, null, {
      connection: connections.open('waiting'),
      prefix,
      drainDelay: WAIT_SECONDS,
      autorun: false,
      lockDuration: leaseMs,
      stalledInterval: stalledMs,
      maxStalledCount: NEVER,
    });
    // Lost connections are told by the connections themselves; ioredis reconnects.
    this.#queue.on('error', () => undefined);
    this.#worker.on('error', () => undefined);
    void this.#worker.startStalledCheckTimer().catch(() => undefined);
  }

  /** Adds jobs. A job that is there already stays as it is. */
  async add(runs: readonly WaitingRun[]): Promise<void> {
    if (runs.length === 0) return;
    await this.#queue.addBulk(
      runs.map(({ job, priority, ...data }) => ({
        name: 'run',
        data,
        opts: { jobId: job, priority, removeOnComplete: true, removeOnFail: true },
      })),
    );
  }

  /** Waits for the next job, and takes it; undefined if `signal` is aborted. A job that comes later is the next taker's. */
  async take(signal: AbortSignal): Promise<TakenRun | undefined> {
    let stop = (): void => undefined;
    const aborted = new Promise<'aborted'>((resolve) => {
      stop = () => resolve('aborted');
      signal.addEventListener('abort', stop, { once: true });
    });
    try {
      for (;;) {
        const taking = (this.#taking ??= this.#next());
        const came = await Promise.race([taking, aborted]);
        if (came === 'aborted') return undefined;
        if (this.#taking !== taking) continue;
        this.#taking = undefined;
        if (came) return came;
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async #next(): Promise<TakenRun | undefined> {
    const token = randomUUID();
    const before = steadyNow();
    const job = (await this.#worker.getNextJob(token).catch(() => undefined)) as Job<Run> | undefined;
    if (job) return takenRun(job, token);
    // It blocks each second time.
    if (steadyNow() - before > 100) return undefined;
    const second = (await this.#worker.getNextJob(token).catch(() => 'failed' as const)) as Job<Run> | 'failed' | undefined;
    if (second === 'failed') await new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));
    return second === 'failed' || second === undefined ? undefined : takenRun(second, token);
  }

  /** Gives active jobs back, as if their consumers had died: ids and tokens of their locks. */
  async giveBackAll(jobs: readonly (readonly [job: string, token: string])[]): Promise<void> {
    for (const [id, token] of jobs) await (await Job.fromId(this.#queue, id))?.moveToWait(token).catch(() => undefined);
  }

  async changePriorities(jobs: readonly (readonly [job: string, priority: number])[]): Promise<void> {
    for (const [id, priority] of jobs) await (await Job.fromId(this.#queue, id))?.changePriority({ priority }).catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#worker.close(true), this.#queue.close()]);
    await this.#worker.disconnect().catch(() => undefined);
  }
}

interface JobSettings {
  /** Of BullMQ's keys. */
  readonly prefix: string;
  /** Life of a lock that nobody prolongs, ms. */
  readonly leaseMs: number;
  /** Between looks for locks that ran out, ms. */
  readonly stalledMs: number;
}

function takenRun(job: Job<Run>, token: string): TakenRun {
  return {
    ...job.data,
    job: job.id ?? '',
    token,
    prolong: async (ms) => (await job.extendLock(token, ms).catch(() => 0)) === 1,
    end: () => void job.moveToCompleted(undefined, token, false).catch(() => undefined),
    giveBack: async () => {
      await job.moveToWait(token).catch(() => undefined);
    },
  };
}
