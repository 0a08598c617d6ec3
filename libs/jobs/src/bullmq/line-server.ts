import { setTimeout as pause } from 'node:timers/promises';
import { WaitingError, Worker } from 'bullmq';
import type { Job } from 'bullmq';
import { steadyNow } from '#documents';
import { inTime } from '../unavailable.ts';
import type { Line } from '../life/job-kind.ts';
import type { PerformJob } from '../ports.ts';
import type { Connection } from './connections.ts';

/** Time in seconds for which BullMQ waits for a job before it looks without being woken. */
const WAIT_SECONDS = 10;
/** Number of times that BullMQ may find a job without a lock. The store counts the starts of a job itself. */
const MAX_STALLED = 1_000_000_000;
/** Number of times that BullMQ looks for the jobs of dead processes while the lock of a job lasts. */
const CHECKS_OF_LEASE = 3;
/** Pause in ms before a job whose storage did not answer is performed again, and before BullMQ repeats a failed command. */
const PAUSE_MS = 500;
/** Time in ms within which running jobs must end when the process stops to perform jobs. */
const STOP_MS = 2000;

/** Data of a BullMQ job. Operators can view this data in a dashboard. */
export interface BullJob {
  /** Flow of the job as `line/name`. */
  readonly flow: string;
  /** Number of all parts. */
  readonly parts: number;
  /** Size of the parts without a result when the job was added, in bytes. */
  readonly bytes: number;
  /** Digest of the definition if the job has exactly one. */
  readonly definition?: string;
}

/** Parts from which a `LineServer` is built. */
interface LineServerParts {
  /** Opens a connection that waits while Redis is unavailable. */
  readonly open: () => Connection;
  /** Prefix of BullMQ's keys. */
  readonly prefix: string;
  /** Lines whose jobs the server performs. */
  readonly lines: readonly Line[];
  /** Maximum number of jobs of one line that the server performs at the same time. */
  readonly most: number;
  /** Returns the name of BullMQ's queue for a line. */
  readonly queueOf: (line: Line) => string;
  /** Time in ms after which a job is given to another process if its lock is not renewed. */
  readonly leaseMs: number;
  /** Time in ms after which the worker of a line without jobs stops. */
  readonly restMs: number;
  readonly perform: PerformJob;
  /** Returns the share of a job's work that is done, in percent, for dashboards. */
  readonly progressOf: (id: string) => Promise<number>;
  /** Called with each error that BullMQ reports. */
  readonly failed: (error: Error) => void;
}

/** Worker of a line. */
interface LineWorker {
  readonly worker: Worker;
  /** Time at which the line last had a job, by the steady clock. */
  usedAt: number;
}

/** Job that this process performs. */
interface Turn {
  readonly id: string;
  readonly job: Job<BullJob>;
  /** Token with which the job is locked in BullMQ. */
  readonly token: string;
  readonly worker: Worker;
  /** Aborted if the lock was lost, so that another process may perform the job. */
  readonly lost: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Performs the jobs of some lines with one BullMQ worker for each line. A worker starts when its line has a job, and stops some time after
 * the last job. Idle processes therefore cause no load on Redis.
 */
export class LineServer {
  readonly #parts: LineServerParts;
  readonly #workers = new Map<Line, LineWorker>();
  readonly #turns = new Set<Turn>();
  readonly #stopping = new AbortController();
  #connection: Connection | undefined;
  #renewing: NodeJS.Timeout | undefined;

  constructor(parts: LineServerParts) {
    this.#parts = parts;
  }

  /** Performs the jobs of a line, which has at least one. Does nothing if the server stops, or does not perform the jobs of the line. */
  start(line: Line): void {
    if (this.#stopping.signal.aborted || !this.#parts.lines.includes(line)) return;
    const known = this.#workers.get(line);
    if (known) known.usedAt = steadyNow();
    else this.#workers.set(line, { worker: this.#open(line), usedAt: steadyNow() });
  }

  /** Stops the workers of lines that had no jobs for some time. */
  rest(): void {
    for (const [line, { worker, usedAt }] of this.#workers) {
      const isBusy = [...this.#turns].some((turn) => turn.worker === worker);
      if (isBusy || steadyNow() - usedAt < this.#parts.restMs) continue;
      this.#workers.delete(line);
      void worker.close().catch(this.#parts.failed);
    }
  }

  /** Opens the worker of a line. */
  #open(line: Line): Worker {
    const { open, prefix, queueOf, leaseMs, most, failed } = this.#parts;
    this.#connection ??= open();
    this.#renewing ??= setInterval(() => this.#renewAll(), leaseMs / 3).unref();
    const perform = (job: Job<BullJob>, token?: string): Promise<undefined> => this.#take(job, worker, token ?? '');
    const worker = new Worker<BullJob, undefined>(queueOf(line), perform, {
      connection: this.#connection,
      prefix,
      concurrency: most,
      lockDuration: leaseMs,
      // This class renews the locks itself. BullMQ would use the wall clock, and would forget a job that it gets again before the first
      // turn ended.
      skipLockRenewal: true,
      // Once per interval, one worker of a queue looks for jobs of dead processes. A worker whose timer fires just before the interval ends
      // waits one more interval. So a lease has room for three intervals.
      stalledInterval: Math.ceil(leaseMs / CHECKS_OF_LEASE),
      maxStalledCount: MAX_STALLED,
      drainDelay: WAIT_SECONDS,
      runRetryDelay: PAUSE_MS,
    });
    worker.on('error', failed);
    return worker;
  }

  /**
   * Takes no more jobs, aborts the signals of all running jobs, and resolves when their work has ended and they are back in the line. If
   * Redis does not answer, resolves after {@link STOP_MS}; other processes take the jobs when their locks run out.
   */
  async stop(): Promise<void> {
    const closing = [...this.#workers.values()].map(({ worker }) => worker.close());
    this.#stopping.abort();
    await inTime(STOP_MS, Promise.allSettled([...closing, ...[...this.#turns].map(({ ended }) => ended)]));
    clearInterval(this.#renewing);
    this.#connection?.disconnect();
  }

  /** Ends without waiting for running jobs. */
  async close(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#renewing);
    await Promise.allSettled([...this.#workers.values()].map(({ worker }) => worker.close(true)));
  }

  /** Performs a job that BullMQ gave to this process. Rejects with BullMQ's error for jobs that are not over. */
  async #take(job: Job<BullJob>, worker: Worker, token: string): Promise<undefined> {
    const id = job.id ?? '';
    const earlier = [...this.#turns].filter((turn) => turn.id === id);
    const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
    const turn: Turn = { id, job, token, worker, lost: new AbortController(), ended };
    this.#turns.add(turn);
    try {
      // If this process lost the lock of an earlier turn, BullMQ may give it the same job again. Then the earlier turn must end first.
      for (const { lost } of earlier) lost.abort();
      await Promise.all(earlier.map((one) => one.ended));
      const answer = await this.#perform(turn);
      // If the lock was lost, another process is responsible for the job.
      if (turn.lost.signal.aborted) throw new WaitingError();
      if (answer === 'over') return undefined;
      await job.moveToWait(token).catch(() => undefined);
      throw new WaitingError();
    } finally {
      this.#turns.delete(turn);
      end(undefined);
    }
  }

  /** Performs the job of a turn. If it does not end, waits for a moment, so that BullMQ does not give it out at once again and again. */
  async #perform({ id, lost }: Turn): Promise<'over' | 'retry'> {
    const signal = AbortSignal.any([this.#stopping.signal, lost.signal]);
    if (signal.aborted) return 'retry';
    const answer = await this.#parts.perform(id, signal).catch(() => 'retry' as const);
    if (answer === 'retry' && !signal.aborted) await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    return answer;
  }

  #renewAll(): void {
    for (const worker of new Set([...this.#turns].map((turn) => turn.worker))) void this.#renew(worker).catch(this.#parts.failed);
    for (const { id, job } of this.#turns) void this.#showProgress(id, job).catch(() => undefined);
  }

  /** Stores the progress of a job in BullMQ, where a dashboard shows it. */
  async #showProgress(id: string, job: Job<BullJob>): Promise<void> {
    await job.updateProgress(await this.#parts.progressOf(id));
  }

  /** Renews the locks of the jobs that a worker performs. A job whose lock was lost is stopped; while Redis is away, nothing is known. */
  async #renew(worker: Worker): Promise<void> {
    const turns = [...this.#turns].filter((turn) => turn.worker === worker && !turn.lost.signal.aborted);
    const [ids, tokens] = [turns.map(({ id }) => id), turns.map(({ token }) => token)];
    const lost = await worker.extendJobLocks(ids, tokens, this.#parts.leaseMs);
    for (const turn of turns) if (lost.includes(turn.id)) turn.lost.abort();
  }
}
