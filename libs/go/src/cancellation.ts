/**
 * A flag that work polls to learn about its cancellation. Loops poll every 100 iterations of a comprehension, walks
 * every 256 steps. The host decides where the flag comes from: another thread by shared memory (`libs/runner`), or the
 * same thread by a {@link CancellationFlag}.
 */
export interface CancellationToken {
  /** True if the work is to stop. It never becomes false again for this work. */
  readonly cancelled: boolean;
}

/** A token that is raised in the thread that does the work, between two pieces of it or from what it calls. */
export class CancellationFlag implements CancellationToken {
  #cancelled = false;
  /** Asks the work to stop. Idempotent. */
  cancel(): void {
    this.#cancelled = true;
  }
  get cancelled(): boolean {
    return this.#cancelled;
  }
}

/** Thrown by polls to unwind a walk that was cancelled; caught in one place, the object's verdict. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled');
  }
}
