import type { CancellationToken } from '#go';

/** A token that is raised when a time is over, or when another token is. Evaluations poll it, so that none outlives it. */
export class Deadline implements CancellationToken {
  readonly #now: () => number;
  readonly #until: number;
  readonly #outer: CancellationToken | undefined;
  #isOver = false;

  /** @param now a monotonic clock, ms */
  constructor(now: () => number, ms: number, outer?: CancellationToken) {
    this.#now = now;
    this.#until = now() + ms;
    this.#outer = outer;
  }

  /** True if somebody asked after the time was over, so that work was cut short. */
  get wasMissed(): boolean {
    return this.#isOver;
  }

  get cancelled(): boolean {
    return (this.#isOver ||= this.#outer?.cancelled === true || this.#now() >= this.#until);
  }
}
