/**
 * Time in ms after which a running chunk on a borrowed seat is requeued if another flow waits. A seat is borrowed if the flow uses more
 * threads than its share. It is several times the usual duration of a chunk.
 */
const BORROWED_MS = 250;
/**
 * Interval in ms at which chunks on borrowed seats (threads beyond the share of a flow) are checked while other work waits. Work that waits
 * for less time is ignored.
 */
const WATCH_MS = 50;
/**
 * Time in ms for which a flow may use only its share of the seats after its chunks were requeued. Such chunks are long, and restarting them
 * repeatedly would waste time.
 */
const PAUSE_MS = 5000;

/** Facts on which {@link BorrowedSeats} decides whether a flow may use more engine threads than its share. */
export interface BorrowedSeatsPorts {
  readonly threads: number;
  /** Number of engine threads that a flow may use while other flows wait. */
  readonly share: number;
  /** Returns true if a flow that uses less than its share of the seats waits in the queue. */
  readonly isWanted: () => boolean;
}

/** Task that was passed to the engine and has not ended. */
interface Task {
  readonly flow: string;
  /** Function that stops a chunk, which runs again later; undefined for other work, which is never requeued. */
  readonly requeue: (() => void) | undefined;
  readonly since: number;
  isRequeued: boolean;
}

/**
 * Borrowing of engine threads by flows. If no other flow waits, the chunks of a flow may occupy more than the flow's share of the threads.
 * The duration of a chunk is unknown before its end, and work that arrives later must not wait long for the chunk. When a chunk takes too
 * long and another flow waits, the chunks of the borrowing flow beyond its share are requeued. The first chunks of the borrowing flow
 * continue, so that all work eventually finishes.
 *
 * Measured: one flow occupies both threads with objects of one second each. A single object of another flow takes 42 ms at the median and
 * 206 ms at most. Without requeuing, it takes 708 ms at the median and 1,673 ms at most.
 */
export class BorrowedSeats {
  readonly #ports: BorrowedSeatsPorts;
  /** Tasks in the order in which they were passed to the engine. The first tasks run, and all later tasks wait in the engine. */
  readonly #tasks = new Set<Task>();
  /** Flows that currently may not borrow seats, with the end of this restriction by `performance.now()`. */
  readonly #pausing = new Map<string, number>();
  #watching: NodeJS.Timeout | undefined;

  constructor(ports: BorrowedSeatsPorts) {
    this.#ports = ports;
  }

  /**
   * Records that a task of a flow (`level/flow`) was passed to the engine. Returns a function to call when the task ends.
   *
   * @param requeue stops a chunk so that it runs again later; absent for work that is not a chunk
   */
  take(flow: string, requeue?: () => void): () => void {
    const task = { flow, requeue, since: performance.now(), isRequeued: false };
    this.#tasks.add(task);
    return () => void this.#tasks.delete(task);
  }

  /**
   * Returns true if a flow may use more than its share of the seats while no other flow waits. Returns false for some seconds after chunks
   * of the flow were requeued.
   */
  mayBorrow(flow: string): boolean {
    const until = this.#pausing.get(flow);
    if (until === undefined) return true;
    if (performance.now() < until) return false;
    this.#pausing.delete(flow);
    return true;
  }

  /**
   * Starts to check at intervals whether chunks on borrowed seats (threads beyond a flow's share) must be requeued for waiting work. The
   * checks stop when no work waits.
   */
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

  /** Requeues the chunks of a flow that exceed its share, whether they run or wait in the engine. */
  #requeue(flow: string, now: number): void {
    // Deletes flows whose pause is over. Otherwise, the map would grow with each new flow.
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
