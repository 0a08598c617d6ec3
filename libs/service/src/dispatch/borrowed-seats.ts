/** The longest time for which a chunk on a borrowed seat delays others, ms: several times the usual length of a chunk. */
const BORROWED_MS = 250;
/** Such chunks are looked for this often while somebody waits, ms. A shorter wait does not count. */
const WATCH_MS = 50;
/** The time for which a flow has no more than its share after its chunks were requeued, ms. Its chunks are long: beginning them again and again helps nobody. */
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
 * Lets flows borrow seats. If nobody else waits, the chunks of a flow may have more than its share of the seats. The time of a chunk is not known before its end, and
 * newcomers must not wait for it, in the queue or in hand. When a chunk takes too long and another flow waits, the flow's chunks beyond its
 * share are requeued. Its first chunks are not set back, so that all work comes to its end.
 *
 * Measured: one flow has both threads with objects of a second each. Another flow's single object takes 42 ms at the median and 206 ms at most.
 * Without this, it takes 708 and 1,673 ms.
 */
export class BorrowedSeats {
  readonly #ports: BorrowedSeatsPorts;
  /** In the order in which the engine was given them: the first run, the others are in hand. */
  readonly #tasks = new Set<Task>();
  /** Flows that borrow no seats, and until when. */
  readonly #pausing = new Map<string, number>();
  #watching: NodeJS.Timeout | undefined;

  constructor(ports: BorrowedSeatsPorts) {
    this.#ports = ports;
  }

  /**
   * The engine was given a task of a flow (`level/flow`): a chunk, or other work. Returns what is called when it is over.
   *
   * @param requeue stops a chunk, which runs again later; absent for other work
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

  /** Looks, from now on, whether somebody waits for a borrowed seat, until nobody waits. */
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

  /** Requeues what a flow has beyond its share, running or in hand. */
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
