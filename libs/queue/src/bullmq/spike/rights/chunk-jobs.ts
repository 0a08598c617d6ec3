import { Queue, Worker } from 'bullmq';
import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';

const PAUSE_MS = 500;

/** What a job shows of its chunk, once it has one. */
export interface ChunkJobData {
  readonly evaluation?: string;
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

  async add(count: number): Promise<void> {
    const opts = { removeOnComplete: { age: this.#keepS, count: 1000 }, removeOnFail: true };
    await this.#jobs.addBulk(Array.from({ length: count }, () => ({ name: 'chunk', data: {}, opts: { ...opts, jobId: randomUUID() } })));
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

  /** As many jobs wait as chunks do. */
  async balance(wanted: number): Promise<void> {
    const there = await this.#jobs.getWaitingCount();
    if (there < wanted) return this.add(wanted - there);
    const surplus = there > wanted + 16 ? await this.#jobs.getJobs(['waiting'], 0, there - wanted - 1, true) : [];
    await Promise.allSettled(surplus.map((job) => job.remove()));
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#worker.close(true), this.#jobs.close()]);
    await this.#worker.disconnect().catch(() => undefined);
  }
}
