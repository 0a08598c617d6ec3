import { Cancelled } from '#go';
import type { CancellationToken } from '#go';

/** Steps between two looks at the token: some tens of microseconds. */
const STEPS_PER_POLL = 100;

/** Counts the steps of a walk over an object that somebody may want to stop. */
export class Steps {
  private readonly token: CancellationToken | undefined;
  private count = 0;

  constructor(token: CancellationToken | undefined) {
    this.token = token;
  }

  /** One value more. Throws {@link Cancelled} when the token says stop. */
  next(): void {
    this.count += 1;
    if (this.count % STEPS_PER_POLL === 0 && this.token?.cancelled === true) throw new Cancelled();
  }
}
