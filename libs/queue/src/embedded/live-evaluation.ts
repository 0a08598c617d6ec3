import { addTally, emptyTally } from '#evaluation';
import type { ChunkResult, Tally } from '#evaluation';
import { queueKeyOf } from '#runner/flow';
import type { QueueKey } from '#runner/flow';
import type { EvaluationState } from '../life/evaluation-life.ts';
import type { EvaluationRecord, Progress } from '../ports.ts';

/**
 * Evaluation in the memory of the embedded queue, which serves a single process. Its results are in the journal file. `done` contains the
 * indexes of the finished chunks.
 */
export class LiveEvaluation {
  readonly record: EvaluationRecord;
  readonly queueKey: QueueKey;
  readonly done = new Set<number>();
  readonly tally: Tally = emptyTally();
  /** State of the evaluation. Only transitions of `EVALUATION_LIFE` change it. */
  state: EvaluationState = 'unknown';
  /** CEL cost that was charged to the evaluation, in cost units. */
  celSpent = 0;
  chunksTotal = 0;
  /** Size of the stored results, in bytes. It is charged to the evaluation's flow (the queue of one client). */
  resultBytes = 0;
  /** Index in the evaluation of the first item of the next chunk to be added. A chunk with a lower first item was already added. */
  nextItem = 0;
  /** Time at which the evaluation ended and left the fair queue, in epoch ms. 0 while the evaluation lives. */
  closedAt = 0;
  #watchers = new Set<() => void>();

  constructor(record: EvaluationRecord) {
    this.record = record;
    this.queueKey = queueKeyOf(record);
  }

  /** Returns the progress of the evaluation, or undefined before it is accepted and after it is forgotten. */
  progress(): Progress | undefined {
    if (this.state === 'unknown') return undefined;
    return { phase: this.state, chunksDone: this.done.size, chunksTotal: this.chunksTotal, tally: structuredClone(this.tally) };
  }

  /** Records that a chunk is done, and adds its counts and its CEL cost to the evaluation. */
  finish(index: number, { tally, celCharge }: ChunkResult): void {
    this.done.add(index);
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
