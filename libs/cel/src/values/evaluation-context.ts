import { Cancelled, entryKeys } from '#go';
import type { CancellationToken, JsonObject, Spend } from '#go';
import type { Semantics } from './semantics.ts';

/** Number of steps between two checks of the cancellation token. Source: k8s.io/apiserver/pkg/apis/cel/config.go `CheckFrequency`. */
const STEPS_PER_POLL = 100;

/**
 * Context of a CEL evaluation for code that works with values. It contains the behaviour of values in the server's minor version, the
 * cancellation token, and the number of counted steps.
 *
 * All code that compares values or traverses data receives this context as an argument. Engines extend this class with their own state.
 */
export class EvaluationContext {
  readonly semantics: Semantics;
  /** Token by which the evaluation can be cancelled. Undefined if the evaluation cannot be cancelled. */
  protected token: CancellationToken | undefined;
  #steps = 0;

  constructor(semantics: Semantics, token?: CancellationToken) {
    this.semantics = semantics;
    this.token = token;
  }

  /** Number of steps that `poll` and `spend` counted so far. `poll` counts steps only if the evaluation has a cancellation token. */
  get steps(): number {
    return this.#steps;
  }

  /**
   * Counts one step of a loop whose length depends on the data. Throws {@link Cancelled} if the token is cancelled. The token is checked
   * once in 100 steps.
   */
  poll(): void {
    if (this.token !== undefined && ++this.#steps % STEPS_PER_POLL === 0 && this.token.cancelled) throw new Cancelled();
  }

  /**
   * Counts many steps at once. Loops use this method if a call for each step would be noticeably slower. Throws {@link Cancelled} if the
   * token is cancelled.
   *
   * @param steps Number of steps since the previous call.
   */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.token?.cancelled === true) throw new Cancelled();
  }
}

/**
 * Returns a function that counts steps that an evaluation has done. The returned function throws {@link Cancelled} if the evaluation is
 * cancelled.
 */
export const spendIn =
  (context: EvaluationContext): Spend =>
  (steps) =>
    context.spend(steps);

/**
 * Returns a function that returns the keys of an immutable object. Each call counts a step of the evaluation, so that the evaluation can be
 * cancelled.
 */
export const keysIn =
  (context: EvaluationContext): ((object: JsonObject) => readonly string[]) =>
  (object) => {
    context.poll();
    return entryKeys(object);
  };
