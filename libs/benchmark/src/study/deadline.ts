import type { CancellationToken } from '#go';

/**
 * Cancellation token that becomes cancelled when a period is over or when another token is cancelled. Evaluations poll it, so that they end
 * on time.
 */
export class DeadlineToken implements CancellationToken {
  readonly #now: () => number;
  readonly #until: number;
  readonly #outer: CancellationToken | undefined;
  #isOver = false;

  /** @param now Returns the time of a monotonic clock, in ms. */
  constructor(now: () => number, ms: number, outer?: CancellationToken) {
    this.#now = now;
    this.#until = now() + ms;
    this.#outer = outer;
  }

  /** True if the token was polled after the time was over. In this case, work was cut short. */
  get wasMissed(): boolean {
    return this.#isOver;
  }

  get cancelled(): boolean {
    return (this.#isOver ||= this.#outer?.cancelled === true || this.#now() >= this.#until);
  }
}
