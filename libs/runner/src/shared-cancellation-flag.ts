import type { CancellationToken } from '#go';

/** A cancellation token that one thread raises and another polls: one slot of shared memory, so a poll is one load. */
export class SharedCancellationFlag implements CancellationToken {
  /** What the other thread makes its flag of. */
  readonly shared: SharedArrayBuffer;
  /** One slot; 0 = run, 1 = stop. */
  readonly #slot: Int32Array;

  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.shared = shared;
    this.#slot = new Int32Array(shared);
  }
  /** Asks the work to stop. Idempotent. */
  cancel(): void {
    Atomics.store(this.#slot, 0, 1);
  }
  /** Makes the token one of the next piece of work. */
  lower(): void {
    Atomics.store(this.#slot, 0, 0);
  }
  get cancelled(): boolean {
    return Atomics.load(this.#slot, 0) !== 0;
  }
}
