import { Queue, Worker } from 'bullmq';
import { randomUUID } from 'node:crypto';
import { isDamage } from '../unavailable.ts';
import type { Connection, RedisConnections } from './connections.ts';

/**
 * Time in seconds for which a consumer waits for a wake-up. When this time is over, the consumer checks for a chunk even without a wake-up.
 */
const WAIT_SECONDS = 20;
/** Time in ms for which BullMQ locks a taken wake-up. A wake-up ends immediately after it is taken. */
const LOCK_MS = 5000;
/** Interval in ms at which BullMQ searches for wake-ups that a terminated process had taken. */
const STALLED_MS = 30_000;
/**
 * Maximum number of waiting wake-ups of one process. If more chunks wait, every consumer is busy and claims the next chunk without a
 * wake-up.
 */
const MOST = 64;
/** Name of BullMQ's queue of wake-ups. */
const QUEUE = 'chunks';
/** Names of the keys that BullMQ has for a queue, without those of single jobs. */
const KEYS: readonly string[] = [
  'wait',
  'paused',
  'active',
  'marker',
  'meta',
  'id',
  'events',
  'delayed',
  'prioritized',
  'pc',
  'stalled',
  'stalled-check',
  'completed',
  'failed',
  'limiter',
];
/** Pause in ms after a failed attempt to take a wake-up. */
const PAUSE_MS = 500;

/**
 * Wake-ups of consumers, implemented as BullMQ jobs. Each job means "a chunk waits" and wakes one consumer in any process; `lua/claim.lua`
 * chooses the chunk. The report docs/reports/queue-decision.md explains with figures why chunks themselves are not jobs. Lost or duplicate
 * wake-ups are harmless. A consumer with a surplus wake-up finds no chunk, and each heartbeat adds wake-ups while chunks wait.
 */
export class WakeUps {
  readonly #redis: Connection;
  readonly #prefix: string;
  readonly #queue: Queue;
  readonly #worker: Worker;
  /** Name of this process, which is part of the ids of its wake-ups. */
  #process = randomUUID();
  #next = 0;

  /**
   * `redis` is the connection on which chunks are sent. A wake-up is therefore always sent after its chunk. Taking wake-ups uses a separate
   * connection, because it blocks the connection.
   */
  constructor(connections: RedisConnections, redis: Connection, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#queue = new Queue(QUEUE, { connection: redis, prefix });
    const locks = { lockDuration: LOCK_MS, stalledInterval: STALLED_MS };
    const connection = connections.open('waiting');
    this.#worker = new Worker(QUEUE, null, { connection, prefix, drainDelay: WAIT_SECONDS, autorun: false, ...locks });
    // Lost connections are told by the connections themselves; ioredis reconnects.
    this.#queue.on('error', () => undefined);
    this.#worker.on('error', () => undefined);
    // A wake-up whose taking was answered and whose end was not stays active; BullMQ's check for stalled jobs lets it go.
    void this.#worker.startStalledCheckTimer().catch(() => undefined);
  }

  /**
   * Wakes `count` consumers. BullMQ ignores ids that are already waiting, so a process has at most {@link MOST} waiting wake-ups. If other
   * software damaged BullMQ's keys, deletes these keys, and wakes nobody: the next heartbeat does.
   */
  async add(count = 1): Promise<void> {
    const wakeUp = () => {
      this.#next = (this.#next + 1) % MOST;
      return { name: 'chunk', data: {}, opts: { jobId: `${this.#process}-${this.#next}`, removeOnComplete: true, removeOnFail: true } };
    };
    await this.#queue.addBulk(Array.from({ length: Math.min(count, MOST) }, wakeUp)).catch((error: unknown) => this.#startAnew(error));
  }

  /** Deletes the damaged keys of the wake-ups. Throws an error that has another cause. */
  async #startAnew(error: unknown): Promise<void> {
    if (!isDamage(error)) throw error;
    this.#process = randomUUID();
    await this.#redis.del(KEYS.map((name) => `${this.#prefix}:${QUEUE}:${name}`));
  }

  /**
   * Waits at most {@link WAIT_SECONDS} for a wake-up and removes it from its queue. Returns true if a wake-up was received before `signal`
   * was aborted or the wait ended.
   */
  async take(signal: AbortSignal): Promise<boolean> {
    const name = randomUUID();
    let came = false;
    const taken = this.#worker.getNextJob(name).then((job) => {
      came = job !== undefined;
      // The end of a wake-up is not awaited: where it does not reach Redis, BullMQ ends the job as stalled.
      void job?.moveToCompleted(undefined, name, false).catch(() => undefined);
    });
    let stop = (): void => undefined;
    const aborted = new Promise<void>((resolve) => {
      stop = resolve;
      signal.addEventListener('abort', stop, { once: true });
    });
    await Promise.race([taken.catch(() => new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS))), aborted]);
    signal.removeEventListener('abort', stop);
    return came;
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#worker.close(true), this.#queue.close()]);
    await this.#worker.disconnect().catch(() => undefined);
  }
}
