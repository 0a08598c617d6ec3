/**
 * What pieces of work take of so many seats, where there may be more pieces than seats: all that are in hand share the seats alike, so that
 * together they are charged as much as there was.
 */
export class SeatTime {
  readonly #seats: number;
  readonly #now: () => number;
  #inHand = 0;
  /** Ms that a piece which has been in hand all the time would have been charged. */
  #charged = 0;
  #changedAt: number;

  constructor(seats: number, now: () => number = Date.now) {
    this.#seats = seats;
    this.#now = now;
    this.#changedAt = now();
  }

  /** What a piece of work that begins now gives, and the ms that it took of a seat. */
  async of<Result>(work: Promise<Result>): Promise<{ readonly result: Result; readonly spentMs: number }> {
    this.#change(1);
    const before = this.#charged;
    let result: Result;
    try {
      result = await work;
    } finally {
      this.#change(-1);
    }
    return { result, spentMs: this.#charged - before };
  }

  #change(by: number): void {
    const now = this.#now();
    this.#charged += (now - this.#changedAt) * Math.min(1, this.#seats / Math.max(1, this.#inHand));
    this.#changedAt = now;
    this.#inHand += by;
  }
}
