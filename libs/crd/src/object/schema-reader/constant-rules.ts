import type { JsonValue } from '#go';
import type { AnyValue } from './read-anything.ts';
import type { ReaderRun } from './reader-run.ts';

/** The rules of a value that is always the same, as a default is: what they say and cost follows from it, and is found out once. */
export class ConstantRules {
  readonly #node: AnyValue;
  readonly #value: JsonValue;
  /** Cost units of all rules together, once they were all true: of a create, which evaluates those for an optional older self, and of an update. */
  readonly #costs: { create: number | undefined; update: number | undefined } = { create: undefined, update: undefined };

  constructor(node: AnyValue, value: JsonValue) {
    this.#node = node;
    this.#value = value;
  }

  /** Whether the rules are true; their cost is added to the run's. */
  pass(run: ReaderRun): boolean {
    const write = run.isUpdate ? 'update' : 'create';
    const known = this.#costs[write];
    // No rule costs more than all of them.
    if (known !== undefined && known <= run.costLimit) {
      run.cost += known;
      return true;
    }
    const before = run.cost;
    if (!this.#node.passesRules(this.#value, run)) return false;
    this.#costs[write] = run.cost - before;
    return true;
  }
}
