import { Cancelled } from '#go';
import type { CancellationToken } from '#go';

/** Number of steps between two checks of the cancellation token. These steps take some tens of microseconds in total. */
const STEPS_PER_POLL = 100;

/** Counter of the steps of a traversal that can be cancelled. */
export class Steps {
  readonly #token: CancellationToken | undefined;
  #count = 0;

  constructor(token: CancellationToken | undefined) {
    this.#token = token;
  }

  /** Counts one more step. Throws {@link Cancelled} if the token is cancelled. The token is checked every 100 steps. */
  next(): void {
    this.#count += 1;
    if (this.#count % STEPS_PER_POLL === 0 && this.#token?.cancelled === true) throw new Cancelled();
  }
}
