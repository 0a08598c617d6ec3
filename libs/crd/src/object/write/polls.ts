import { Cancelled } from '#go';
import type { CancellationToken } from '#go';

/** Number of steps between two checks of the cancellation token. */
const INTERVAL = 256;

/** Counts the steps of long walks and, now and then, stops them by throwing `Cancelled` when that was asked for. */
export class Polls {
  private readonly token: CancellationToken | undefined;
  private left = INTERVAL;

  constructor(token: CancellationToken | undefined) {
    this.token = token;
  }

  step(): void {
    this.left -= 1;
    if (this.left > 0) return;
    this.left = INTERVAL;
    if (this.token?.cancelled === true) throw new Cancelled();
  }
}
