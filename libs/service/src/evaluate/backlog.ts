import type { Progress } from '#queue';

/** Waiting time in ms for this process's own threads above which runs of a batch are offered to other processes. */
const PATIENCE_MS = 50;
/**
 * Thread time of an item in ms below which items are always judged in this process. For such an item, sending alone would occupy the event
 * loop for as long.
 */
const WORTH_CARRYING_MS = 0.02;
/** Number of judged items below which no mean time is derived, because the first items run cold code. */
const FEW_ITEMS = 10;
/** Maximum number of runs of a batch that wait in this process, however short they are. */
const MOST_RUNS = 64;

/** Items of a batch that wait for the threads of this process or run on them, and the time that they need. */
export class Backlog {
  readonly #threads: number;
  #itemMs: number;
  #queuedItems = 0;
  #judgedItems = 0;
  #queuedRuns = 0;

  /** @param itemMs the expected time of an item on a thread, ms */
  constructor(threads: number, itemMs: number) {
    this.#threads = threads;
    this.#itemMs = itemMs;
  }

  /** Counts a run that was queued. */
  add(items: number): void {
    this.#queuedItems += items;
    this.#queuedRuns += 1;
  }

  /** Updates the number of judged items and the mean time of an item from the progress of the evaluation. */
  update({ tally }: Progress): void {
    this.#judgedItems = tally.items;
    if (tally.items >= FEW_ITEMS && tally.phases.total !== undefined) this.#itemMs = tally.phases.total / tally.items;
  }

  /** Returns true if the next run would wait longer than `PATIENCE_MS` and its items take long enough to be sent to another process. */
  get isLong(): boolean {
    if (this.#itemMs < WORTH_CARRYING_MS) return false;
    return (this.#queuedItems - this.#judgedItems) * this.#itemMs >= PATIENCE_MS * this.#threads;
  }

  /**
   * Returns the number of runs that make the backlog long. The process must read this many runs ahead to detect that it is behind. The
   * result is 0 until some items are judged, because runs that are queued here by a wrong estimate stay here.
   */
  get longRuns(): number {
    if (this.#judgedItems < FEW_ITEMS || this.#itemMs < WORTH_CARRYING_MS) return 0;
    const runMs = (this.#queuedItems / this.#queuedRuns) * this.#itemMs;
    return Math.min(MOST_RUNS, Math.ceil((PATIENCE_MS * this.#threads) / runMs) + 1);
  }
}
