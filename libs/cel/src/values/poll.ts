import { Cancelled } from '#go';
import type { CancellationToken } from '#go';

let token: CancellationToken | undefined;
let steps = 0;

/** Steps of a helper between two looks at the token. */
const STEPS_PER_POLL = 256;

/**
 * Runs an evaluation under a token. Helpers deep inside (equality, `in`, sorting) poll it without having it passed through every call: an
 * evaluation is synchronous, so one token is in force at a time.
 */
export function underToken<T>(evaluationToken: CancellationToken | undefined, evaluate: () => T): T {
  const outer = token;
  token = evaluationToken;
  try {
    return evaluate();
  } finally {
    token = outer;
  }
}

/** Called once per stretch of steps by helpers so fast that a call per step would show. Throws {@link Cancelled} when the token says stop. */
export function pollStretch(): void {
  if (token?.cancelled === true) throw new Cancelled();
}

/** Called once per step by helpers whose work grows with data. Throws {@link Cancelled} when the token says stop. */
export function poll(): void {
  if (token !== undefined && ++steps % STEPS_PER_POLL === 0 && token.cancelled) throw new Cancelled();
}
