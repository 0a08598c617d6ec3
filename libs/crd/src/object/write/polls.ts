import { Cancelled } from '#go';
import type { CancellationToken } from '#go';

/** Number of steps between two checks of the cancellation token. */
const INTERVAL = 256;

/** Counter of steps in long loops. At intervals, it throws `Cancelled` if the token is cancelled. */
export class Polls {
  readonly #token: CancellationToken | undefined;
  #left = INTERVAL;

  constructor(token: CancellationToken | undefined) {
    this.#token = token;
  }

  step(): void {
    this.#left -= 1;
    if (this.#left > 0) return;
    this.#left = INTERVAL;
    if (this.#token?.cancelled === true) throw new Cancelled();
  }
}
