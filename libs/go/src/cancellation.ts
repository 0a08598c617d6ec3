/**
 * What work polls to learn that it is to stop: loops every 100 iterations of a comprehension, walks every 256 steps. Where it is raised from is
 * the host's: from another thread by shared memory (`libs/runner`), or in the same one by a {@link CancellationFlag}.
 */
export interface CancellationToken {
  /** Whether the work is to stop. Once true, it stays true for the work that was given the token. */
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
