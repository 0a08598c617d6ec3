/** The longest time for which a chunk holds up others while its flow has more than its share of the threads, ms: several times the usual length of a chunk. */
const LENT_MS = 250;
/** Such chunks are looked for this often while somebody waits, ms. A shorter wait does not count. */
const WATCH_MS = 50;
/** The time for which a flow has no more than its share after its chunks were set back, ms. Its chunks are long: beginning them again and again helps nobody. */
const PAUSE_MS = 5000;

/** Facts that lending depends on. */
export interface LentSeatsPorts {
  readonly threads: number;
  /** Seats that a flow may hold while others wait. */
  readonly share: number;
  /** Returns true if someone waits in the queue who has less than the share. */
  readonly isWanted: () => boolean;
}

/** A piece of work that the engine has. */
interface Piece {
  readonly flow: string;
  /** Stops a chunk, which runs again later; undefined: other work, which is not set back. */
  readonly setBack: (() => void) | undefined;
  readonly since: number;
  isSetBack: boolean;
}

/**
 * Lends seats. If nobody else waits, the chunks of a flow may have more than its share of the seats. The time of a chunk is not known before its end, and
 * newcomers must not wait for it, in the queue or in hand. When a chunk takes too long and another flow waits, the flow's chunks beyond its
 * share are set back. Its first chunks are not set back, so that all work comes to its end.
 *
 * Measured: one flow has both threads with objects of a second each. Another flow's single object takes 42 ms at the median and 206 ms at most.
 * Without setting back it takes 708 and 1,673 ms.
 */
export class LentSeats {
  readonly #ports: LentSeatsPorts;
  /** In the order in which the engine was given them: the first run, the others are in hand. */
  readonly #pieces = new Set<Piece>();
  /** Flows that borrow no seats, and until when. */
  readonly #pausing = new Map<string, number>();
  #watching: NodeJS.Timeout | undefined;

  constructor(ports: LentSeatsPorts) {
    this.#ports = ports;
  }

  /**
   * The engine was given a piece of a flow (`level/flow`): a chunk, or other work. Returns what is called when it is over.
   *
   * @param setBack stops a chunk, which runs again later; absent for other work
   */
  take(flow: string, setBack?: () => void): () => void {
    const piece = { flow, setBack, since: performance.now(), isSetBack: false };
    this.#pieces.add(piece);
    return () => void this.#pieces.delete(piece);
  }

  /** Returns true if a flow may have more than its share while nobody else waits. */
  mayBorrow(flow: string): boolean {
    const until = this.#pausing.get(flow);
    if (until === undefined) return true;
    if (performance.now() < until) return false;
    this.#pausing.delete(flow);
    return true;
  }

  /** Looks, from now on, whether somebody waits for a seat that was lent, until nobody waits. */
  watch(): void {
    if (this.#watching !== undefined || !this.#isSomethingWaiting()) return;
    this.#watching = setTimeout(() => {
      this.#watching = undefined;
      this.#takeBack();
      this.watch();
    }, WATCH_MS).unref();
  }

  #isSomethingWaiting(): boolean {
    return this.#pieces.size > this.#ports.threads || this.#ports.isWanted();
  }

  #takeBack(): void {
    const now = performance.now();
    const pieces = [...this.#pieces];
    const inHand = pieces.slice(this.#ports.threads).filter(({ since }) => now - since >= WATCH_MS);
    const isQueueWaiting = this.#ports.isWanted();
    for (const [flow, own] of Map.groupBy(pieces.slice(0, this.#ports.threads), (piece) => piece.flow)) {
      const isLong = own.slice(this.#ports.share).some(({ setBack, since }) => setBack !== undefined && now - since >= LENT_MS);
      if (isLong && (isQueueWaiting || inHand.some((piece) => piece.flow !== flow))) this.#setBack(flow, now);
    }
  }

  /** Sets back what a flow has beyond its share, running or in hand. */
  #setBack(flow: string, now: number): void {
    // Flows come and go: those whose pause is over are forgotten.
    for (const [known, until] of this.#pausing) if (until <= now) this.#pausing.delete(known);
    this.#pausing.set(flow, now + PAUSE_MS);
    const beyond = [...this.#pieces].filter((piece) => piece.flow === flow).slice(this.#ports.share);
    for (const piece of beyond) {
      if (piece.setBack === undefined || piece.isSetBack) continue;
      piece.isSetBack = true;
      piece.setBack();
    }
  }
}
