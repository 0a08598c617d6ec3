import type { CancellationToken } from '#go';

/** Returns the number of background threads of an engine with so many other threads: one core is left to other work. */
export const backgroundThreads = (threads: number): number => Math.max(1, threads - 1);

/** Background work pauses for so long at most, ms, and then works for so long before it pauses again. So it ends although other work never does. */
const [PAUSE_MS, SLICE_MS] = [50, 5] as const;

/** The number of threads of an engine host that have work which is not in the background. All its threads share it, so that background work gives way. */
export class UrgentWork {
  readonly shared: SharedArrayBuffer;
  readonly #threads: Int32Array<SharedArrayBuffer>;

  constructor(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#threads = new Int32Array(shared);
  }

  /** The pool: sets the number, and wakes background work if it is 0. */
  set(threads: number): void {
    if (Atomics.exchange(this.#threads, 0, threads) > 0 && threads === 0) Atomics.notify(this.#threads, 0);
  }

  /** A thread: waits while other threads do other work, {@link PAUSE_MS} at most. Returns false if none does. */
  pause(): boolean {
    const threads = Atomics.load(this.#threads, 0);
    if (threads === 0) return false;
    Atomics.wait(this.#threads, 0, threads, PAUSE_MS);
    return true;
  }
}

/** The token of background work, which gives way to other work: a poll may pause. */
export class PausingToken implements CancellationToken {
  /** Time of all pauses, ms. Figures of a study leave it out. */
  pausedMs = 0;
  readonly #token: CancellationToken;
  readonly #urgent: UrgentWork;
  #resumedAt = 0;

  constructor(token: CancellationToken, urgent: UrgentWork) {
    this.#token = token;
    this.#urgent = urgent;
  }

  get cancelled(): boolean {
    const now = performance.now();
    if (now - this.#resumedAt >= SLICE_MS && this.#urgent.pause()) {
      this.#resumedAt = performance.now();
      this.pausedMs += this.#resumedAt - now;
    }
    return this.#token.cancelled;
  }
}
