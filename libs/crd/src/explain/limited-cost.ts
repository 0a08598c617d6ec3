import { EXPRESSION_COST_LIMIT, PER_CALL_LIMIT } from '#kube';
import type { Minor } from '#kube';
import { addCost, multiplyCost } from '../definition/admission/rule-context.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import { distinctBounds } from './bounds.ts';
import type { BoundChange, SchemaBound } from './bounds.ts';

/** Cost that a server compares with a limit, and that can be estimated again under changed bounds. */
export interface LimitedCost {
  /** Path of the rule, relative to `openAPIV3Schema`; undefined for the cost of all rules of a version together. */
  readonly path: string | undefined;
  readonly part: 'rule' | 'messageExpression';
  /** Text of the expression; empty for the cost of all rules together. */
  readonly text: string;
  /** Kubernetes minor version of the server that compares the cost. */
  readonly minor: Minor;
  /** Bounds, present or missing, on which the cost may depend. */
  readonly bounds: readonly SchemaBound[];
  readonly cost: bigint;
  readonly limit: bigint;
  /** Returns the estimated cost under changed bounds, without compiling an expression again. Changes of other bounds have no effect. */
  readonly costWith: (changes: readonly BoundChange[]) => bigint;
  /** Returns the cost after the expressions are compiled again in a schema with changed bounds. This cost verifies a suggestion. */
  readonly recompiled: (schema: SchemaProps, changes: readonly BoundChange[]) => bigint;
  /**
   * The larger of this cost and ten times the cost of one evaluation. If it is within the limit, a server also finishes each evaluation of
   * the rule. Suggested bounds meet this stricter condition if they can. Absent for costs of which no single evaluation is known.
   */
  readonly held?: LimitedCost;
}

/** Cost of a rule or of its messageExpression. */
export interface ExpressionCost extends LimitedCost {
  readonly path: string;
}

/** Returns a cost that stores its estimates, because a search asks for the same changes several times. */
export function rememberingCost(cost: ExpressionCost): ExpressionCost {
  const fields = new Set(cost.bounds.map((bound) => bound.fields));
  const known = new Map<string, bigint>();
  return {
    ...cost,
    costWith: (changes) => {
      const own = changes.filter(({ bound }) => fields.has(bound.fields));
      if (own.length === 0) return cost.cost;
      const key = own
        .map(({ bound, value }) => `${bound.fields}=${value}`)
        .sort()
        .join(' ');
      const found = known.get(key) ?? cost.costWith(own);
      known.set(key, found);
      return found;
    },
  };
}

/** Number of evaluations of the highest permitted cost that fit into the limit of an expression: 10. */
const EVALUATIONS_IN_LIMIT = EXPRESSION_COST_LIMIT / BigInt(PER_CALL_LIMIT);

/**
 * Returns the {@link LimitedCost.held} cost of a rule. A server stops one evaluation at {@link PER_CALL_LIMIT}, even if the estimate for
 * the whole object is within its limit. So one evaluation may take at most a tenth of the limit of the estimate.
 *
 * @param evaluation estimated cost of one evaluation, as the functions `costWith` and `recompiled` of the cost return it
 */
export function heldCost(whole: ExpressionCost, evaluation: Pick<LimitedCost, 'costWith' | 'recompiled'>): ExpressionCost {
  const larger = (total: bigint, one: bigint): bigint => {
    const least = multiplyCost(one, EVALUATIONS_IN_LIMIT);
    return total > least ? total : least;
  };
  return {
    ...whole,
    cost: larger(whole.cost, evaluation.costWith([])),
    costWith: (changes) => larger(whole.costWith(changes), evaluation.costWith(changes)),
    recompiled: (schema, changes) => larger(whole.recompiled(schema, changes), evaluation.recompiled(schema, changes)),
  };
}

/**
 * Returns the total cost of all expressions of a version in one server. Only expressions that depend on a changed bound are estimated again.
 *
 * @param limit limit of the total cost in cost units
 * @param minor minor version of the server
 */
export function totalOfCosts(expressions: readonly LimitedCost[], { limit, minor }: Pick<LimitedCost, 'limit' | 'minor'>): LimitedCost {
  const users = new Map<string, LimitedCost[]>();
  for (const expression of expressions)
    for (const { fields } of expression.bounds) {
      const known = users.get(fields);
      if (known === undefined) users.set(fields, [expression]);
      else known.push(expression);
    }
  const exactSum = expressions.reduce((sum, { cost }) => sum + cost, 0n);
  const sumWith = (changes: readonly BoundChange[], costOf: (expression: LimitedCost) => bigint): bigint => {
    const changed = new Set(changes.flatMap(({ bound }) => users.get(bound.fields) ?? []));
    const sum = [...changed].reduce((total, expression) => total - expression.cost + costOf(expression), exactSum);
    return addCost(0n, sum);
  };
  const costliestFirst = expressions.toSorted((a, b) => (a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : 0));
  let bounds: readonly SchemaBound[] | undefined;
  return {
    path: undefined,
    part: 'rule',
    text: '',
    minor,
    get bounds() {
      return (bounds ??= distinctBounds(costliestFirst.flatMap((expression) => expression.bounds)));
    },
    cost: addCost(0n, exactSum),
    limit,
    costWith: (changes) => {
      const byFields = new Map(changes.map((change) => [change.bound.fields, change]));
      return sumWith(changes, (expression) => expression.costWith(expression.bounds.flatMap(({ fields }) => byFields.get(fields) ?? [])));
    },
    recompiled: (schema, changes) => sumWith(changes, ({ recompiled }) => recompiled(schema, changes)),
  };
}
