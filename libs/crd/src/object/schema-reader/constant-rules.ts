import type { JsonValue } from '#go';
import type { AnyValue } from './read-anything.ts';
import type { ReaderRun } from './reader-run.ts';

/**
 * Rules of a constant value, such as a default. The results and costs of the rules depend only on the value and on the operation (create or
 * update). Therefore the rules are evaluated only until all of them are true. Later, only their known cost is charged, unless it exceeds
 * the cost limit.
 */
export class ConstantRules {
  readonly #node: AnyValue;
  readonly #value: JsonValue;
  /**
   * Costs of all rules together in cost units, for a create and for an update; undefined until all rules were true once. The costs differ,
   * because a create evaluates rules with an optional `oldSelf`.
   */
  readonly #costs: { create: number | undefined; update: number | undefined } = { create: undefined, update: undefined };

  constructor(node: AnyValue, value: JsonValue) {
    this.#node = node;
    this.#value = value;
  }

  /** Returns true if all rules are true, and adds their cost to the costs in `run`. */
  pass(run: ReaderRun): boolean {
    const write = run.isUpdate ? 'update' : 'create';
    const known = this.#costs[write];
    // The sum is at most the cost limit, so each single rule is within it, too.
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
