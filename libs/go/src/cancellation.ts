/**
 * A flag shared between threads: set once to stop the work, polled by loops (every 100 iterations of a comprehension,
 * every 256 steps of a walk). Plain Int32Array over a SharedArrayBuffer, so a poll is one load.
 */
export class CancellationToken {
  /** One slot; 0 = run, 1 = stop. */
  readonly flag: Int32Array;
  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.flag = new Int32Array(shared);
  }
  /** Asks the work to stop. Idempotent. */
  cancel(): void {
    Atomics.store(this.flag, 0, 1);
  }
  get cancelled(): boolean {
    return Atomics.load(this.flag, 0) !== 0;
  }
}

/** Thrown by polls to unwind a walk that was cancelled; caught in one place, the object's verdict. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled');
  }
}
