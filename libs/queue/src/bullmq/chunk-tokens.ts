import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';

/** A token is over as soon as it is taken: longer than that nobody needs one, ms. */
const TOKEN_LOCK_MS = 5000;
/** After a failure to take a token, ms. */
const PAUSE_MS = 500;

/**
 * BullMQ's jobs as anonymous tokens, each saying "there is a chunk somewhere": it wakes one consumer in some process. Which chunk that runs is
 * decided by `scripts/claim.ts`, because BullMQ knows no flows, fails a job at its second stall, and cannot drop the chunks of one evaluation
 * in one step. Losing or doubling a token changes nothing: one too many finds nothing, one too few is added by {@link balance}.
 */
export class ChunkTokens {
  readonly #tokens: Queue;
  readonly #taker: Worker;

  /** `redis`: the connection on which chunks are sent, so that a token added after one comes after it. Taking waits, so it has its own. */
  constructor(url: string, redis: Redis, prefix: string) {
    this.#tokens = new Queue('chunks', { connection: redis, prefix });
    const locks = { lockDuration: TOKEN_LOCK_MS, stalledInterval: TOKEN_LOCK_MS };
    const connection = new Redis(url, { maxRetriesPerRequest: null });
    this.#taker = new Worker('chunks', null, { connection, prefix, drainDelay: 1, autorun: false, ...locks });
    // Lost connections are reported as errors; ioredis reconnects, and readiness tells whether the queue answers.
    this.#tokens.on('error', () => undefined);
    this.#taker.on('error', () => undefined);
    // A token whose taking was answered and whose end was not stays active; BullMQ's check for stalled jobs lets it go.
    void this.#taker.startStalledCheckTimer().catch(() => undefined);
  }

  /** One more. */
  async add(count = 1): Promise<void> {
    const token = () => ({ name: 'chunk', data: {}, opts: { jobId: `t-${randomUUID()}`, removeOnComplete: true, removeOnFail: true } });
    await this.#tokens.addBulk(Array.from({ length: count }, token));
  }

  /** Waits for a token, a second at most, and takes it: it has done its work by coming. */
  async take(signal: AbortSignal): Promise<void> {
    const name = randomUUID();
    const taken = this.#taker.getNextJob(name).then((job) => {
      // Nobody waits for its end: one that is not told ends as one whose taker died.
      void job?.moveToCompleted(undefined, name, false).catch(() => undefined);
    });
    let stop = (): void => undefined;
    const aborted = new Promise<void>((resolve) => {
      stop = resolve;
      signal.addEventListener('abort', stop, { once: true });
    });
    await Promise.race([taken.catch(() => new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS))), aborted]);
    signal.removeEventListener('abort', stop);
  }

  /** Brings the tokens to `wanted`: adds what is missing, takes away what is beyond twice as many. */
  async balance(wanted: number): Promise<void> {
    const there = await this.#tokens.getWaitingCount();
    if (there < wanted) return this.add(wanted - there);
    if (there <= 2 * wanted + 16) return;
    const surplus = await this.#tokens.getJobs(['waiting'], 0, there - wanted - 1, true);
    await Promise.allSettled(surplus.map((job) => job.remove()));
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#taker.close(true), this.#tokens.close()]);
    await this.#taker.disconnect().catch(() => undefined);
  }
}
