import { addTally, emptyTally } from '#evaluation';
import type { ChunkResult, Tally } from '#evaluation';
import { placeOf } from '../flow/flow.ts';
import type { Place } from '../flow/flow.ts';
import type { EvaluationPhase, EvaluationRecord, Progress } from '../ports.ts';

/** One evaluation in the memory of the embedded queue. Results of detached ones lie in the journal; `done` only remembers that they do. */
export class LiveEvaluation {
  readonly record: EvaluationRecord;
  readonly place: Place;
  readonly results = new Map<number, ChunkResult>();
  readonly done = new Set<number>();
  readonly tally: Tally = emptyTally();
  /** CEL cost units charged so far. */
  celSpent = 0;
  chunksTotal = 0;
  /** Index of the item that comes next. */
  nextItem = 0;
  sealed = false;
  cancelled = false;
  /** It is over and was taken off the queue. */
  ended = false;
  /** Epoch ms of the end; 0 while it lives. */
  endedAt = 0;
  #watchers = new Set<() => void>();

  constructor(record: EvaluationRecord) {
    this.record = record;
    this.place = placeOf(record);
  }

  get phase(): EvaluationPhase {
    if (this.cancelled) return 'cancelled';
    if (!this.sealed) return 'receiving';
    return this.done.size === this.chunksTotal ? 'complete' : 'running';
  }

  get over(): boolean {
    return this.phase === 'complete' || this.phase === 'cancelled';
  }

  /** Whether the result of a chunk is still to come. */
  wants(chunk: number): boolean {
    return this.phase !== 'cancelled' && !this.done.has(chunk);
  }

  progress(): Progress {
    return { phase: this.phase, chunksDone: this.done.size, chunksTotal: this.chunksTotal, tally: structuredClone(this.tally) };
  }

  /** Counts a chunk as done. */
  finish(index: number, { tally, celCharge }: ChunkResult): void {
    this.done.add(index);
    addTally(this.tally, tally);
    this.celSpent += celCharge;
    this.touch();
  }

  /** Tells everyone who waits for a change. */
  touch(): void {
    if (this.over && this.endedAt === 0) this.endedAt = Date.now();
    const watchers = this.#watchers;
    this.#watchers = new Set();
    for (const wake of watchers) wake();
  }

  /** Resolves at the next {@link touch}, or when `signal` is aborted. */
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
