/** The longest time for which a chunk on a borrowed seat delays others, ms: several times the usual length of a chunk. */
const BORROWED_MS = 250;
/** Interval in ms at which long chunks on borrowed seats are searched while other work waits. Shorter waits are ignored. */
const WATCH_MS = 50;
/**
 * Time in ms for which a flow is limited to its share after its chunks were requeued. Such chunks are long, and restarting them repeatedly
 * would only waste time.
 */
const PAUSE_MS = 5000;

/** Facts that borrowing depends on. */
export interface BorrowedSeatsPorts {
  readonly threads: number;
  /** Seats that a flow may hold while others wait. */
  readonly share: number;
  /** Returns true if someone waits in the queue who has less than the share. */
  readonly isWanted: () => boolean;
}

/** A task that the engine has. */
interface Task {
  readonly flow: string;
  /** Stops a chunk, which runs again later; undefined: other work, which is not requeued. */
  readonly requeue: (() => void) | undefined;
  readonly since: number;
  isRequeued: boolean;
}

/**
 * Borrowing of seats by flows. If no other flow waits, the chunks of a flow may occupy more than its share of the seats. The duration of a
 * chunk is unknown before its end, and work that arrives later must not wait for the chunk. When a chunk takes too long and another flow
 * waits, the flow's chunks beyond its share are requeued. The flow's first chunks continue, so that all work eventually finishes.
 *
 * Measured: one flow occupies both threads with objects of one second each. A single object of another flow takes 42 ms at the median and
 * 206 ms at most. Without requeuing, it takes 708 and 1,673 ms.
 */
export class BorrowedSeats {
  readonly #ports: BorrowedSeatsPorts;
  /** Tasks in the order in which they were passed to the engine. The first ones run; the others wait in the engine. */
  readonly #tasks = new Set<Task>();
  /** Flows that may currently not borrow seats, with the time until which this holds. */
  readonly #pausing = new Map<string, number>();
  #watching: NodeJS.Timeout | undefined;

  constructor(ports: BorrowedSeatsPorts) {
    this.#ports = ports;
  }

  /**
   * Records that a task of a flow (`level/flow`), a chunk or other work, was passed to the engine. Returns a function to call when the task
   * ends.
   *
   * @param requeue stops a chunk so that it runs again later; absent for other work
   */
  take(flow: string, requeue?: () => void): () => void {
    const task = { flow, requeue, since: performance.now(), isRequeued: false };
    this.#tasks.add(task);
    return () => void this.#tasks.delete(task);
  }

  /** Returns true if a flow may have more than its share while nobody else waits. */
  mayBorrow(flow: string): boolean {
    const until = this.#pausing.get(flow);
    if (until === undefined) return true;
    if (performance.now() < until) return false;
    this.#pausing.delete(flow);
    return true;
  }

  /** Starts checking at intervals whether work waits for a borrowed seat. The checks stop when no work waits. */
  watch(): void {
    if (this.#watching !== undefined || !this.#isSomethingWaiting()) return;
    this.#watching = setTimeout(() => {
      this.#watching = undefined;
      this.#takeBack();
      this.watch();
    }, WATCH_MS).unref();
  }

  #isSomethingWaiting(): boolean {
    return this.#tasks.size > this.#ports.threads || this.#ports.isWanted();
  }

  #takeBack(): void {
    const now = performance.now();
    const tasks = [...this.#tasks];
    const inHand = tasks.slice(this.#ports.threads).filter(({ since }) => now - since >= WATCH_MS);
    const isQueueWaiting = this.#ports.isWanted();
    for (const [flow, own] of Map.groupBy(tasks.slice(0, this.#ports.threads), (task) => task.flow)) {
      const isLong = own.slice(this.#ports.share).some(({ requeue, since }) => requeue !== undefined && now - since >= BORROWED_MS);
      if (isLong && (isQueueWaiting || inHand.some((task) => task.flow !== flow))) this.#requeue(flow, now);
    }
  }

  /** Requeues the chunks of a flow beyond its share, running or waiting in the engine. */
  #requeue(flow: string, now: number): void {
    // Flows come and go: those whose pause is over are forgotten.
    for (const [known, until] of this.#pausing) if (until <= now) this.#pausing.delete(known);
    this.#pausing.set(flow, now + PAUSE_MS);
    const beyond = [...this.#tasks].filter((task) => task.flow === flow).slice(this.#ports.share);
    for (const task of beyond) {
      if (task.requeue === undefined || task.isRequeued) continue;
      task.isRequeued = true;
      task.requeue();
    }
  }
}
