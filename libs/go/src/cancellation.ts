/**
 * A flag that work polls to learn about its cancellation. Loops poll every 100 iterations of a comprehension, walks
 * every 256 steps. The host decides where the flag comes from: another thread by shared memory (`libs/runner`), or the
 * same thread by a {@link CancellationFlag}.
 */
export interface CancellationToken {
  /** True if the work is to stop. It never becomes false again for this work. */
  readonly cancelled: boolean;
}

/** Cancellation token that is set by the thread that does the work, between two parts of the work or in a callback. */
export class CancellationFlag implements CancellationToken {
  #cancelled = false;
  /** Requests that the work stops. Repeated calls have no further effect. */
  cancel(): void {
    this.#cancelled = true;
  }
  get cancelled(): boolean {
    return this.#cancelled;
  }
}

/** Exception that polls throw to abort cancelled work. It is caught in one place, which returns the object's verdict. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled');
  }
}
