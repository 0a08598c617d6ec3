import { Cancelled } from '#go';
import type { CancellationToken } from '#go';
import type { Semantics } from './semantics.ts';

/** Steps between two looks at the token. Source: k8s.io/apiserver/pkg/apis/cel/config.go `CheckFrequency`. */
const STEPS_PER_POLL = 100;

/**
 * What functions of values ask about the evaluation they run in: how values behave in the server's minor, and whether to go on. It is passed
 * to whatever compares values or walks data; engines extend it by what they keep of an evaluation.
 */
export class EvaluationContext {
  readonly semantics: Semantics;
  /** What stops the evaluation; undefined where nothing does. */
  protected token: CancellationToken | undefined;
  #steps = 0;

  constructor(semantics: Semantics, token?: CancellationToken) {
    this.semantics = semantics;
    this.token = token;
  }

  /** Called once per step of anything that grows with data. Throws {@link Cancelled} when the token says stop. */
  poll(): void {
    if (this.token !== undefined && ++this.#steps % STEPS_PER_POLL === 0 && this.token.cancelled) throw new Cancelled();
  }

  /** Called once per stretch of steps by loops so fast that a call per step would show. Throws {@link Cancelled} when the token says stop. */
  pollStretch(): void {
    if (this.token?.cancelled === true) throw new Cancelled();
  }
}
