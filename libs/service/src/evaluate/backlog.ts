import type { Tally } from '#evaluation';

/**
 * Minimum waiting time in ms for this process's own threads. At this time, the next runs (stretches of consecutive items) of a batch are
 * offered to other processes.
 */
const PATIENCE_MS = 50;
/**
 * Thread time of an item, in ms, below which the item is always evaluated in this process. Sending such an item to another process would
 * occupy the event loop as long as its evaluation takes.
 */
const WORTH_CARRYING_MS = 0.02;
/**
 * Minimum number of evaluated items from which a mean time is computed. The first items are slower, because the code is not optimized yet.
 */
const FEW_ITEMS = 10;
/** Maximum number of runs (stretches of consecutive items) of a batch that wait in this process, even if the runs are short. */
const MOST_RUNS = 64;

/** Counts the items of a batch that wait for the threads of this process or run on them, and estimates the time that they take. */
export class Backlog {
  readonly #threads: number;
  #itemMs: number;
  #queuedItems = 0;
  #judgedItems = 0;
  #judgedMs = 0;
  #queuedRuns = 0;

  /** @param itemMs expected time of an item on a thread, in ms, until the time is measured */
  constructor(threads: number, itemMs: number) {
    this.#threads = threads;
    this.#itemMs = itemMs;
  }

  /** Counts the items of a run that was queued. */
  add(items: number): void {
    this.#queuedItems += items;
    this.#queuedRuns += 1;
  }

  /** Updates the number of evaluated items, and the mean time of an item, by the tally of a run. */
  update({ items, phases }: Pick<Tally, 'items' | 'phases'>): void {
    this.#judgedItems += items;
    this.#judgedMs += phases.total ?? 0;
    if (this.#judgedItems >= FEW_ITEMS && this.#judgedMs > 0) this.#itemMs = this.#judgedMs / this.#judgedItems;
  }

  /**
   * True if the next run (stretch of consecutive items) would wait at least `PATIENCE_MS`. Its items must also take long enough to be sent
   * to another process.
   */
  get isLong(): boolean {
    if (this.#itemMs < WORTH_CARRYING_MS) return false;
    return (this.#queuedItems - this.#judgedItems) * this.#itemMs >= PATIENCE_MS * this.#threads;
  }

  /**
   * Number of queued runs (stretches of consecutive items) that make the backlog long. The process must queue at least this many runs in
   * advance, because otherwise it never detects a long backlog. The value 0 means that a long backlog requires no runs in advance. It is 0
   * until the time of an item is measured: runs that a wrong estimate queued here could not be moved to other processes. It is also 0 if
   * items are too fast to be sent to another process.
   */
  get longRuns(): number {
    if (this.#judgedItems < FEW_ITEMS || this.#itemMs < WORTH_CARRYING_MS) return 0;
    const runMs = (this.#queuedItems / this.#queuedRuns) * this.#itemMs;
    return Math.min(MOST_RUNS, Math.ceil((PATIENCE_MS * this.#threads) / runMs) + 1);
  }
}
