/** Action that runs at a certain time. */
interface Expiration {
  /** Time at which the action is due, by `performance.now()`. */
  readonly at: number;
  readonly late: () => void;
}

/**
 * Set of timeouts of equal length, most of which are cancelled before they expire. All share one timer, so a cancelled timeout costs only
 * two operations on a set.
 */
export class Expirations {
  readonly #milliseconds: number;
  /** Pending actions, in the order in which they expire. */
  readonly #open = new Set<Expiration>();
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Starts a timeout that calls `late` when the time is over. Returns a function that cancels the timeout. */
  begin(late: () => void): () => void {
    const one = { at: performance.now() + this.#milliseconds, late };
    this.#open.add(one);
    if (this.#timer === undefined) this.#wait(this.#milliseconds);
    return () => void this.#open.delete(one);
  }

  #wait(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#expire();
    }, milliseconds).unref();
  }

  #expire(): void {
    const now = performance.now();
    for (const one of this.#open) {
      // Timers may fire a fraction of a millisecond early.
      if (one.at > now + 1) {
        if (this.#timer === undefined) this.#wait(one.at - now);
        return;
      }
      this.#open.delete(one);
      one.late();
    }
  }
}
