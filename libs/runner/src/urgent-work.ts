import type { CancellationToken } from '#go';

/**
 * Returns the number of background threads of an engine with `threads` threads for regular work. It is one less, so that one core is left
 * free for regular work, but at least one.
 */
export const backgroundThreads = (threads: number): number => Math.max(1, threads - 1);

/**
 * Maximum pause of background work, and time for which it runs between two pauses, both in ms. Background work therefore ends even if
 * regular work never ends.
 */
const [PAUSE_MS, SLICE_MS] = [50, 5] as const;

/**
 * Counter of the engine threads that currently run regular work, which is all work except background work. All threads share the counter.
 * Background work pauses while the counter is not 0.
 */
export class UrgentWork {
  readonly shared: SharedArrayBuffer;
  readonly #threads: Int32Array<SharedArrayBuffer>;

  constructor(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#threads = new Int32Array(shared);
  }

  /** Called by the pool: sets the number of threads that run regular work. Wakes background work if the number is 0. */
  set(threads: number): void {
    if (Atomics.exchange(this.#threads, 0, threads) > 0 && threads === 0) Atomics.notify(this.#threads, 0);
  }

  /**
   * Called by a background thread: waits at most {@link PAUSE_MS} while any thread runs regular work. Returns false without waiting if no
   * thread does. Otherwise returns true after the wait.
   */
  pause(): boolean {
    const threads = Atomics.load(this.#threads, 0);
    if (threads === 0) return false;
    Atomics.wait(this.#threads, 0, threads, PAUSE_MS);
    return true;
  }
}

/** Cancellation token of background work. Each check may pause the thread while any other thread runs regular work. */
export class PausingToken implements CancellationToken {
  /** Total time of all pauses in ms. A study of rules excludes this time from its measurements. */
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
