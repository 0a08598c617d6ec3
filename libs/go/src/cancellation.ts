/**
 * Flag that running work polls to detect its cancellation. CEL comprehensions poll every 100 iterations, and traversals poll every 256
 * steps. The flag is set by another thread through shared memory (`libs/runner`), or by the same thread through a {@link CancellationFlag}.
 */
export interface CancellationToken {
  /** True if the work must stop. Once true, it never becomes false again. */
  readonly cancelled: boolean;
}

/** Cancellation token for work that is cancelled on its own thread: between two steps of the work, or in a callback that the work calls. */
export class CancellationFlag implements CancellationToken {
  #cancelled = false;
  /** Requests that the work stops. Later calls have no effect. */
  cancel(): void {
    this.#cancelled = true;
  }
  get cancelled(): boolean {
    return this.#cancelled;
  }
}

/**
 * Exception that aborts cancelled work. Code that polls a cancellation token throws it, and the function that returns the object's verdict
 * catches it.
 */
export class Cancelled extends Error {
  constructor() {
    super('cancelled');
  }
}
