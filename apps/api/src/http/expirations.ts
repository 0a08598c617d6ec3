/** An action after a time. */
interface Expiration {
  /** By `performance.now()`. */
  readonly at: number;
  readonly late: () => void;
}

/** Actions after equal times, most of which are called off. They share one timer, and an action that is called off costs two steps of a set. */
export class Expirations {
  readonly #milliseconds: number;
  /** In the order in which they expire. */
  readonly #open = new Set<Expiration>();
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Calls `late` when the time is over, unless the function that is returned was called before. */
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
      // Timers are early by a fraction of a millisecond.
      if (one.at > now + 1) {
        if (this.#timer === undefined) this.#wait(one.at - now);
        return;
      }
      this.#open.delete(one);
      one.late();
    }
  }
}
