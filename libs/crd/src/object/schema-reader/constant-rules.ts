import type { JsonValue } from '#go';
import type { AnyValue } from './read-anything.ts';
import type { ReaderRun } from './reader-run.ts';

/** The rules of a value that is always the same, as a default is: what they say and cost follows from it, and is found out once. */
export class ConstantRules {
  readonly #node: AnyValue;
  readonly #value: JsonValue;
  /** Cost units of all rules together, once they were all true. */
  #cost: number | undefined;

  constructor(node: AnyValue, value: JsonValue) {
    this.#node = node;
    this.#value = value;
  }

  /** Whether the rules are true; their cost is added to the run's. */
  pass(run: ReaderRun): boolean {
    // No rule costs more than all of them.
    if (this.#cost !== undefined && this.#cost <= run.costLimit) {
      run.cost += this.#cost;
      return true;
    }
    const before = run.cost;
    if (!this.#node.passesRules(this.#value, run)) return false;
    this.#cost = run.cost - before;
    return true;
  }
}
