/** Time constant, in ms, of the moving mean of occupied engine threads; long enough to smooth out single requests. */
const MEAN_MS = 1000;

/**
 * Meter of the free engine threads of this process. It computes the mean number of threads that are not occupied by the work of this
 * process's own clients. Other processes may send work to these free threads.
 */
export class FreeSeats {
  readonly #seats: number;
  readonly #now: () => number;
  #taken = 0;
  /** Mean number of seats that were recently occupied. */
  #mean = 0;
  #updatedAt: number;

  /** @param now monotonic clock that returns ms */
  constructor(seats: number, now: () => number = () => performance.now()) {
    this.#seats = seats;
    this.#now = now;
    this.#updatedAt = now();
  }

  /** Mean number of seats that were recently free, with a fraction. */
  get free(): number {
    this.#update();
    return this.#seats - this.#mean;
  }

  /** Counts a seat as occupied. Returns a function that the caller must call when the seat is free again. */
  take(): () => void {
    this.#update();
    this.#taken += 1;
    return () => {
      this.#update();
      this.#taken -= 1;
    };
  }

  /** Moves the mean towards the number of seats that are occupied now. Tasks that wait in the engine for a thread do not count. */
  #update(): void {
    const now = this.#now();
    const taken = Math.min(this.#taken, this.#seats);
    this.#mean += (taken - this.#mean) * (1 - Math.exp((this.#updatedAt - now) / MEAN_MS));
    this.#updatedAt = now;
  }
}
