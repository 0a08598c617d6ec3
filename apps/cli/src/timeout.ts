/** Error that ends the work of a command whose `--timeout` is over. */
export class TimedOut extends Error {
  constructor() {
    super('the time of --timeout is over');
  }
}

/**
 * Time that a command may take. Work that blocks the thread, such as reading files, polls it, because no timer can fire in the meantime.
 */
export class Timeout {
  readonly #until: number;

  /** Starts the time. `ms` is the time in ms; undefined for no limit. */
  constructor(ms?: number) {
    this.#until = ms === undefined ? Infinity : performance.now() + ms;
  }

  /** Remaining time in ms, at least 0; Infinity without a limit. */
  get leftMs(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** Throws {@link TimedOut} if the time is over. */
  poll(): void {
    if (this.leftMs === 0) throw new TimedOut();
  }
}
