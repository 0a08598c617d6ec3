import { EXPRESSION_COST_LIMIT, forbidden } from '#kube';
import type { FieldError, FieldPath } from '#kube';
import { costText } from '../cost-text.ts';
import { addCost } from '../rule-context.ts';

/** A rule's part in the cost of a schema. */
export interface ExpensiveExpression {
  readonly path: FieldPath;
  /** Cost units, its cardinality included. */
  readonly cost: bigint;
}

/** Expressions below this share of the limit are not named when the total is too high. */
const NAMED_FROM = 1_000_000n;
const NAMED_AT_MOST = 4;

/** The cost of all expressions of a schema. Source: validation.go `TotalCost.ObserveExpressionCost` (1.37). */
export class SchemaCost {
  #total = 0n;
  #expensive: ExpensiveExpression[] = [];

  /** Sum of all expressions, cost units. */
  get total(): bigint {
    return this.#total;
  }

  /** The most expensive expressions, at most four, dearest first. */
  get expensive(): readonly ExpensiveExpression[] {
    return this.#expensive;
  }

  /**
   * Adds the cost of an expression. Returns an error if this cost exceeds the limit of one expression. `what` names the
   * cost.
   */
  observe(path: FieldPath, cost: bigint, what: string): FieldError | undefined {
    this.#total = addCost(this.#total, cost);
    if (cost >= NAMED_FROM) {
      const expensive = [...this.#expensive, { path, cost }].sort((a, b) => (a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : 0));
      this.#expensive = expensive.slice(0, NAMED_AT_MOST);
    }
    return cost > EXPRESSION_COST_LIMIT ? forbidden(path, costText(what, cost, EXPRESSION_COST_LIMIT)) : undefined;
  }
}
