import { Queue, Worker } from 'bullmq';
import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';

const PAUSE_MS = 500;

/** What a job shows of its chunk. */
export interface ChunkJobData {
  readonly evaluation: string;
  readonly flow: string;
  readonly items: number;
  readonly bytes: number;
}

/** BullMQ's jobs, one a chunk. */
export class ChunkJobs {
  readonly #jobs: Queue<ChunkJobData>;
  readonly #worker: Worker<ChunkJobData>;
  readonly #keepS: number;

  constructor(redis: Redis, prefix: string, leaseMs: number, heartbeatMs: number, retentionMs: number) {
    this.#keepS = Math.round(retentionMs / 1000);
    this.#jobs = new Queue('chunks', { connection: redis, prefix });
    this.#worker = new Worker('chunks', null, {
      connection: redis,
      prefix,
      drainDelay: 1,
      autorun: false,
      lockDuration: leaseMs,
      stalledInterval: heartbeatMs,
      maxStalledCount: 1_000_000,
      skipLockRenewal: true,
    });
    this.#jobs.on('error', () => undefined);
    this.#worker.on('error', () => undefined);
    void this.#worker.startStalledCheckTimer().catch(() => undefined);
  }

  async add(evaluation: string, chunks: readonly { readonly firstItem: number; readonly data: ChunkJobData }[]): Promise<void> {
    await this.#jobs.addBulk(
      chunks.map(({ firstItem, data }) => ({
        name: 'chunk',
        data,
        opts: { jobId: `${evaluation}.${firstItem}`, priority: 1, removeOnComplete: { age: this.#keepS, count: 1000 }, removeOnFail: true },
      })),
    );
  }

  /** The job at the head, if there is one. */
  next(token: string): Promise<Job<ChunkJobData> | undefined> {
    return this.#worker.getNextJob(token, { block: false });
  }

  /** Waits for a job, a second at most. */
  async wait(token: string, signal: AbortSignal): Promise<Job<ChunkJobData> | undefined> {
    const taken = this.#worker.getNextJob(token);
    let stop = (): void => undefined;
    const aborted = new Promise<undefined>((resolve) => {
      stop = () => resolve(undefined);
      signal.addEventListener('abort', stop, { once: true });
    });
    const failed = (): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), PAUSE_MS));
    const job = await Promise.race([taken.catch(failed), aborted]);
    signal.removeEventListener('abort', stop);
    // It comes after all, when nobody wants it any more: back it goes.
    if (signal.aborted && !job) void taken.then((late) => late?.moveToWait(token)).catch(() => undefined);
    return job;
  }

  async complete(job: Job<ChunkJobData> | undefined, token: string, summary: object): Promise<void> {
    await job?.moveToCompleted(summary, token, false).catch(() => undefined);
  }

  async giveBack(job: Job<ChunkJobData> | undefined, token: string): Promise<void> {
    await job?.moveToWait(token).catch(() => undefined);
  }

  async renew(ids: readonly string[], tokens: readonly string[], ms: number): Promise<void> {
    await this.#worker.extendJobLocks([...ids], [...tokens], ms);
  }

  async remove(ids: readonly string[]): Promise<void> {
    await Promise.allSettled(ids.map((id) => this.#jobs.remove(id)));
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#worker.close(true), this.#jobs.close()]);
    await this.#worker.disconnect().catch(() => undefined);
  }
}
