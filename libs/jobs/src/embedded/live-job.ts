import { addTally, emptyTally } from '#documents';
import type { Tally } from '#documents';
import { queueKeyOf } from '#runner/flow';
import type { QueueKey } from '#runner/flow';
import type { ResultCharge } from '../life/job-kind.ts';
import type { JobState } from '../life/job-life.ts';
import type { JobForms, Progress } from '../ports.ts';

/** Job in the memory of a process without Redis. Its parts and results are in the journal file. */
export class LiveJob<Forms extends JobForms> {
  readonly record: Forms['record'];
  readonly queueKey: QueueKey;
  /** Indexes of the parts that have a result. */
  readonly done = new Set<number>();
  readonly tally: Tally = emptyTally();
  /** Size of each part in bytes. */
  readonly partBytes: number[] = [];
  /** State of the job. Only transitions of `JOB_LIFE` change it. */
  state: JobState = 'unknown';
  /** CEL cost that was charged to the job, in cost units. */
  celSpent = 0;
  /** Size of the stored results, in bytes. It is charged to the job's flow. */
  resultBytes = 0;
  /** Index of the first item of the next part to be added. A part with a lower first item was already added. */
  nextItem = 0;
  /** Number of the last start. Results of earlier starts are refused. */
  fence = 0;
  /** Number of all starts. */
  starts = 0;
  /** Number of starts since a result was last stored. */
  startsWithoutResult = 0;
  /** Last note of the job while it lives. The last note of a job that is over is in the journal. */
  note: Forms['note'] | undefined;
  /** Time at which the job was received completely, in epoch ms. */
  sealedAt = 0;
  /** Time at which the job ended, in epoch ms. 0 while the job lives. */
  closedAt = 0;
  #watchers = new Set<() => void>();

  constructor(record: Forms['record']) {
    this.record = record;
    this.queueKey = queueKeyOf(record);
  }

  /** Size of the parts that have no result, in bytes. */
  get waitingBytes(): number {
    return this.partBytes.reduce((sum, bytes, part) => (this.done.has(part) ? sum : sum + bytes), 0);
  }

  /** Returns the progress of the job, or undefined before it is added and after it is forgotten. */
  progress(): Progress | undefined {
    if (this.state === 'unknown') return undefined;
    const { state: phase, starts, done, partBytes, tally } = this;
    return { phase, starts, partsDone: done.size, partsTotal: partBytes.length, tally: structuredClone(tally) };
  }

  /** Records that a part has a result, and adds its counts and its CEL cost to the job. */
  finish(part: number, { tally, celCharge }: Pick<ResultCharge, 'tally' | 'celCharge'>): void {
    this.done.add(part);
    addTally(this.tally, tally);
    this.celSpent += celCharge;
  }

  /** Resolves all promises that {@link changed} returned. */
  wake(): void {
    const watchers = this.#watchers;
    if (watchers.size === 0) return;
    this.#watchers = new Set();
    for (const wake of watchers) wake();
  }

  /** Resolves at the next {@link wake}, or when `signal` is aborted. */
  changed(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#watchers.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      this.#watchers.add(wake);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }
}
