import type { CancellationToken } from '#go';

/** Returns the number of background threads of an engine with so many other threads: one core is left to other work. */
export const backgroundThreads = (threads: number): number => Math.max(1, threads - 1);

/**
 * Maximum pause of background work, and the time for which it runs before it pauses again, both in ms. Background work therefore ends even
 * if other work never ends.
 */
const [PAUSE_MS, SLICE_MS] = [50, 5] as const;

/**
 * Counter of an engine host's threads that run work other than background work. All threads share it, so that background work can pause.
 */
export class UrgentWork {
  readonly shared: SharedArrayBuffer;
  readonly #threads: Int32Array<SharedArrayBuffer>;

  constructor(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#threads = new Int32Array(shared);
  }

  /** Called by the pool: sets the number of threads, and wakes background work if the number is 0. */
  set(threads: number): void {
    if (Atomics.exchange(this.#threads, 0, threads) > 0 && threads === 0) Atomics.notify(this.#threads, 0);
  }

  /**
   * Called by a background thread: waits at most {@link PAUSE_MS} while other threads run other work. Returns false without waiting if
   * there is no other work.
   */
  pause(): boolean {
    const threads = Atomics.load(this.#threads, 0);
    if (threads === 0) return false;
    Atomics.wait(this.#threads, 0, threads, PAUSE_MS);
    return true;
  }
}

/** Cancellation token of background work. A check may pause the thread while other work runs. */
export class PausingToken implements CancellationToken {
  /** Total time of all pauses in ms. Measurements of a study exclude it. */
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
