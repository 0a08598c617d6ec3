import type { Progress } from '#queue';

/** A batch that waits longer than this for its process's own threads is offered to others, ms. */
const PATIENCE_MS = 50;
/** Items that take less of a thread are judged where they are, ms: carrying one takes an event loop as long. */
const WORTH_CARRYING_MS = 0.02;
/** Fewer items tell no price: the first ones meet cold code. */
const FEW_ITEMS = 10;
/** Runs of a batch that wait in its process at most, however short they are. */
const MOST_RUNS = 64;

/** The items of a batch that wait for the threads of its process or run there, and the time that they take. */
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

  /** Learns what became of the runs. */
  update({ tally }: Progress): void {
    this.#judgedItems = tally.items;
    if (tally.items >= FEW_ITEMS && tally.phases.total !== undefined) this.#itemMs = tally.phases.total / tally.items;
  }

  /** Returns true if the next run would wait for longer than the process's patience, and its items are worth carrying. */
  get isLong(): boolean {
    if (this.#itemMs < WORTH_CARRYING_MS) return false;
    return (this.#queuedItems - this.#judgedItems) * this.#itemMs >= PATIENCE_MS * this.#threads;
  }

  /**
   * Returns how many runs make a long backlog: the process must read as many ahead to find that it is behind. It is 0 until some items are judged, since runs
   * that are queued here by a wrong guess stay here.
   */
  get longRuns(): number {
    if (this.#judgedItems < FEW_ITEMS || this.#itemMs < WORTH_CARRYING_MS) return 0;
    const runMs = (this.#queuedItems / this.#queuedRuns) * this.#itemMs;
    return Math.min(MOST_RUNS, Math.ceil((PATIENCE_MS * this.#threads) / runMs) + 1);
  }
}
