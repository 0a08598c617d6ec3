/** The mean forgets after about this time, ms: single requests come and go. */
const MEAN_MS = 1000;

/** Tells how many seats of this process its own clients leave to work of other processes. */
export class FreeSeats {
  readonly #seats: number;
  readonly #now: () => number;
  #taken = 0;
  /** Seats that were taken lately, on average. */
  #mean = 0;
  #updatedAt: number;

  /** @param now a monotonic clock, ms */
  constructor(seats: number, now: () => number = () => performance.now()) {
    this.#seats = seats;
    this.#now = now;
    this.#updatedAt = now();
  }

  /** Returns the seats that were free lately, a fraction of one included. */
  get free(): number {
    this.#update();
    return this.#seats - this.#mean;
  }

  /** Counts a seat as taken. Returns what is called when it is free again. */
  take(): () => void {
    this.#update();
    this.#taken += 1;
    return () => {
      this.#update();
      this.#taken -= 1;
    };
  }

  /** Moves the mean towards the seats that are taken now. Tasks that wait for a thread in the engine take none. */
  #update(): void {
    const now = this.#now();
    const taken = Math.min(this.#taken, this.#seats);
    this.#mean += (taken - this.#mean) * (1 - Math.exp((this.#updatedAt - now) / MEAN_MS));
    this.#updatedAt = now;
  }
}
