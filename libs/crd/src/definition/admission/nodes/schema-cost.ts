import { EXPRESSION_COST_LIMIT, forbidden } from '#kube';
import type { FieldError, FieldPath } from '#kube';
import { costText } from '../cost-text.ts';
import { addCost } from '../rule-context.ts';

/** Expression with a cost of at least 1,000,000 cost units, and its path in the schema. */
export interface ExpensiveExpression {
  readonly path: FieldPath;
  /** Cost in cost units, multiplied by the cardinality of the rule. */
  readonly cost: bigint;
}

/** Minimum cost of an expression, in cost units, for the expression to be named in the error about an exceeded total cost. */
const NAMED_FROM = 1_000_000n;
const MAX_NAMED = 4;

/** Sum of the costs of all expressions in a schema. Source: validation.go `TotalCost.ObserveExpressionCost` (1.37). */
export class SchemaCost {
  #total = 0n;
  #expensive: ExpensiveExpression[] = [];

  /** Total cost of all expressions, in cost units. */
  get total(): bigint {
    return this.#total;
  }

  /**
   * Expressions with the highest costs, at most four, the most expensive first. Expressions that cost less than 1,000,000 cost units are
   * left out.
   */
  get expensive(): readonly ExpensiveExpression[] {
    return this.#expensive;
  }

  /**
   * Adds the cost of an expression to the total. Returns an error if this cost exceeds the limit of a single expression. `what` describes
   * the cost in the error message.
   */
  observe(path: FieldPath, cost: bigint, what: string): FieldError | undefined {
    this.#total = addCost(this.#total, cost);
    if (cost >= NAMED_FROM) {
      const expensive = [...this.#expensive, { path, cost }].sort((a, b) => (a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : 0));
      this.#expensive = expensive.slice(0, MAX_NAMED);
    }
    return cost > EXPRESSION_COST_LIMIT ? forbidden(path, costText(what, cost, EXPRESSION_COST_LIMIT)) : undefined;
  }
}
