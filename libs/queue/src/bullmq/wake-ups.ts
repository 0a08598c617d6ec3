import { Queue, Worker } from 'bullmq';
import { randomUUID } from 'node:crypto';
import type { Connection, RedisConnections } from './connections.ts';

/** Taking a wake-up waits for so long, s; then its taker looks for a chunk in any case. */
const WAIT_SECONDS = 10;
/** A taken wake-up may run for so long, ms; it is over at once. */
const LOCK_MS = 5000;
/** Wake-ups whose taker is gone are looked for this often, ms. */
const STALLED_MS = 30_000;
/** Wake-ups of one process that wait at most. If more chunks wait, every consumer is busy and comes back by itself. */
const MOST = 64;
/** After a failure to take a wake-up, ms. */
const PAUSE_MS = 500;

/**
 * BullMQ's jobs as wake-ups: each says "a chunk waits" and wakes one consumer in some process. `lua/claim.lua` chooses the chunk. Why jobs are
 * not the chunks, with the figures: docs/reports/queue-decision.md. Losing or doubling a wake-up changes nothing: one too many finds nothing, and
 * each heartbeat adds some while chunks wait.
 */
export class WakeUps {
  readonly #queue: Queue;
  readonly #worker: Worker;
  /** Names this process in its wake-ups, which have numbers. */
  readonly #process = randomUUID();
  #next = 0;

  /** `redis`: the connection on which chunks are sent, so that a wake-up added after one comes after it. Taking blocks, so it has its own. */
  constructor(connections: RedisConnections, redis: Connection, prefix: string) {
    this.#queue = new Queue('chunks', { connection: redis, prefix });
    const locks = { lockDuration: LOCK_MS, stalledInterval: STALLED_MS };
    const connection = connections.open('waiting');
    this.#worker = new Worker('chunks', null, { connection, prefix, drainDelay: WAIT_SECONDS, autorun: false, ...locks });
    // Lost connections are told by the connections themselves; ioredis reconnects.
    this.#queue.on('error', () => undefined);
    this.#worker.on('error', () => undefined);
    // A wake-up whose taking was answered and whose end was not stays active; BullMQ's check for stalled jobs lets it go.
    void this.#worker.startStalledCheckTimer().catch(() => undefined);
  }

  /** Wakes so many consumers. BullMQ ignores numbers that wait already. So at most {@link MOST} wake-ups of a process wait. */
  async add(count = 1): Promise<void> {
    const wakeUp = () => {
      this.#next = (this.#next + 1) % MOST;
      return { name: 'chunk', data: {}, opts: { jobId: `${this.#process}-${this.#next}`, removeOnComplete: true, removeOnFail: true } };
    };
    await this.#queue.addBulk(Array.from({ length: Math.min(count, MOST) }, wakeUp));
  }

  /** Waits for a wake-up, {@link WAIT_SECONDS} at most, and takes it off its queue. Returns true if one is known to have come when `signal` is aborted. */
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
