/** Shortest and longest waiting time, in seconds. */
const LEAST = 1;
const GREATEST = 32;

/**
 * Waiting time that refused clients of one priority level are asked to observe. It doubles if, within that time, three times as many
 * clients are refused as it has seconds. It falls by one second if fewer than one client per second is refused. It changes only after it
 * has elapsed. The API server's `droppedRequestsStats` (apiserver `pkg/util/flowcontrol/dropped_requests_tracker.go`, 1.37) has the same
 * rules.
 */
export class RetryAfter {
  /** Refusals by second (epoch), the current one included. */
  readonly #refusals: { readonly second: number; count: number }[] = [];
  #seconds = LEAST;
  #changedAt: number;

  constructor(nowSeconds: number) {
    this.#changedAt = nowSeconds;
  }

  /** Current waiting time in seconds. */
  get seconds(): number {
    return this.#seconds;
  }

  /** Counts a refusal. `nowSeconds`: whole seconds that never go back. */
  refused(nowSeconds: number): void {
    const last = this.#refusals.at(-1);
    if (last?.second === nowSeconds) {
      last.count++;
      return;
    }
    this.#adapt(nowSeconds);
    this.#refusals.push({ second: nowSeconds, count: 1 });
    while ((this.#refusals[0]?.second ?? nowSeconds) < nowSeconds - GREATEST) this.#refusals.shift();
  }

  #adapt(now: number): void {
    const wait = this.#seconds;
    if (now - this.#changedAt < wait) return;
    const recent = this.#refusals.filter(({ second }) => now - second <= wait).reduce((sum, { count }) => sum + count, 0);
    if (recent < wait && wait > LEAST) this.#seconds = wait - 1;
    else if (recent >= 3 * wait && wait < GREATEST) this.#seconds = Math.min(2 * wait, GREATEST);
    else return;
    this.#changedAt = now;
  }
}
