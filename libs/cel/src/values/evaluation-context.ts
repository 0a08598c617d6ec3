import { Cancelled, entryKeys } from '#go';
import type { CancellationToken, JsonObject, Spend } from '#go';
import type { Semantics } from './semantics.ts';

/** Steps between two looks at the token. Source: k8s.io/apiserver/pkg/apis/cel/config.go `CheckFrequency`. */
const STEPS_PER_POLL = 100;

/**
 * The evaluation, as functions of values see it: the behaviour of values in the server's minor, and the token. All code that compares values or walks
 * data has it as an argument. Engines extend it by their own state.
 */
export class EvaluationContext {
  readonly semantics: Semantics;
  /** The token that stops the evaluation, if there is one. */
  protected token: CancellationToken | undefined;
  #steps = 0;

  constructor(semantics: Semantics, token?: CancellationToken) {
    this.semantics = semantics;
    this.token = token;
  }

  /** The number of steps so far under a token. */
  get steps(): number {
    return this.#steps;
  }

  /** Called once per step of anything that grows with data. Throws {@link Cancelled} when the token says stop. */
  poll(): void {
    if (this.token !== undefined && ++this.#steps % STEPS_PER_POLL === 0 && this.token.cancelled) throw new Cancelled();
  }

  /**
   * Called once per stretch of steps by loops so fast that a call per step would show. Throws {@link Cancelled} when the token says stop.
   *
   * @param steps how many they are
   */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.token?.cancelled === true) throw new Cancelled();
  }
}

/** Returns a function that counts steps for an evaluation. */
export const spendIn =
  (context: EvaluationContext): Spend =>
  (steps) =>
    context.spend(steps);

/** Returns a function that lists the keys of an immutable object, and polls for cancellation at each object. */
export const keysIn =
  (context: EvaluationContext): ((object: JsonObject) => readonly string[]) =>
  (object) => {
    context.poll();
    return entryKeys(object);
  };
