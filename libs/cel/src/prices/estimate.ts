import { CheckerEstimator } from './checker-estimator.ts';
import { ModelEstimator } from './model-estimator.ts';
import type { CheckedExpression } from '../language/check/checked.ts';
import type { CostRange } from '../library/range.ts';
import type { EstimateOptions, NodeEstimate } from './node-estimate.ts';

/**
 * Returns the range of costs that evaluating an expression may have. `options.costs` determines which of cel-go's two models of costs
 * computes it. Source: cel-go checker/cost.go (v0.29.2), common/cost/estimator.go (v0.33.2).
 */
export function estimateCost(checked: CheckedExpression, options: EstimateOptions): CostRange {
  return estimatorOf(checked, options).visit(checked.root).total;
}

/**
 * Returns the cost estimate of each node of an expression that the estimate visits, by node id. The `total` of the root node equals the
 * result of {@link estimateCost}.
 */
export function estimateNodes(checked: CheckedExpression, options: EstimateOptions): ReadonlyMap<number, NodeEstimate> {
  const found = new Map<number, NodeEstimate>();
  estimatorOf(checked, options, found).visit(checked.root);
  return found;
}

function estimatorOf(
  checked: CheckedExpression,
  options: EstimateOptions,
  found?: Map<number, NodeEstimate>,
): Pick<ModelEstimator, 'visit'> {
  return options.costs.costsAreModelled ? new ModelEstimator(checked, options, found) : new CheckerEstimator(checked, options, found);
}
