/** Shortest and longest time, in seconds, for which a refused client is asked to wait. */
const MIN_SECONDS = 1;
const MAX_SECONDS = 32;

/**
 * Waiting time that refused clients of one priority level are asked to observe. If at least 3n clients are refused during a waiting time of
 * n seconds, the waiting time doubles. If fewer than n clients are refused, it falls by one second. It changes only after it has elapsed.
 * The API server's `droppedRequestsStats` (apiserver `pkg/util/flowcontrol/dropped_requests_tracker.go`, 1.37) has the same rules.
 */
export class RetryAfter {
  /** Numbers of refusals in recent epoch seconds, including the current second. */
  readonly #refusals: { readonly second: number; count: number }[] = [];
  #seconds = MIN_SECONDS;
  #changedAt: number;

  constructor(nowSeconds: number) {
    this.#changedAt = nowSeconds;
  }

  /** Current waiting time in seconds. */
  get seconds(): number {
    return this.#seconds;
  }

  /** Counts a refusal. `nowSeconds` is the current time in whole seconds and must never decrease. */
  refused(nowSeconds: number): void {
    const last = this.#refusals.at(-1);
    if (last?.second === nowSeconds) {
      last.count++;
      return;
    }
    this.#adapt(nowSeconds);
    this.#refusals.push({ second: nowSeconds, count: 1 });
    while ((this.#refusals[0]?.second ?? nowSeconds) < nowSeconds - MAX_SECONDS) this.#refusals.shift();
  }

  #adapt(now: number): void {
    const wait = this.#seconds;
    if (now - this.#changedAt < wait) return;
    const recent = this.#refusals.filter(({ second }) => now - second <= wait).reduce((sum, { count }) => sum + count, 0);
    if (recent < wait && wait > MIN_SECONDS) this.#seconds = wait - 1;
    else if (recent >= 3 * wait && wait < MAX_SECONDS) this.#seconds = Math.min(2 * wait, MAX_SECONDS);
    else return;
    this.#changedAt = now;
  }
}
