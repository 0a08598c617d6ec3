import type { Minor } from '#kube';
import type { CheckedExpression } from '../language/check/checked.ts';
import { costVersion, recordingCosts } from '../library/cost-version.ts';
import type { UsedCosts } from '../library/cost-version.ts';
import type { CostVersion } from '../library/define.ts';
import type { CostRange } from '../library/range.ts';
import type { DifferenceName } from '../minors.ts';
import { shapeOf } from '../values/schema/declared-type.ts';
import type { DeclaredType } from '../values/schema/declared-type.ts';
import { CheckerEstimator } from './checker-estimator.ts';
import { ModelEstimator } from './model-estimator.ts';
import type { EstimateOptions, NodeEstimate } from './node-estimate.ts';
import { schemaSize } from './value-path.ts';

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

/** Setting of the cost formulas by which minor versions differ. It has the name of its entry in `DIFFERENCES`. */
export type PriceSwitch = Extract<DifferenceName, keyof CostVersion> | 'affixTestTraversesArgument';

/** Properties of the cost formulas that are no price: the number of the minor version, and the names of Go types in errors. */
type NoPrice = 'minor' | 'collectionsAreGeneric';

const SWITCHES: Readonly<Record<Exclude<keyof CostVersion, NoPrice>, PriceSwitch>> = {
  affixTestTraverses: 'affixTestTraversesArgument',
  computedEntriesAreUnbounded: 'computedEntriesAreUnbounded',
  costsAreModelled: 'costsAreModelled',
  estimatesFollowEntries: 'estimatesFollowEntries',
  globalMatchesTraverses: 'globalMatchesTraverses',
  libraryEqualityIsFixed: 'libraryEqualityIsFixed',
  messageSizeIsUnknown: 'messageSizeIsUnknown',
  optionalsAreUnwrapped: 'optionalsAreUnwrapped',
  presenceTestsHaveSizes: 'presenceTestsHaveSizes',
  urlPartsHaveSizes: 'urlPartsHaveSizes',
};
const PROPERTIES = Object.entries(SWITCHES) as [keyof typeof SWITCHES, PriceSwitch][];

/** Returns the switches that two minor versions set differently. */
export function switchesBetween(one: Minor, other: Minor): readonly PriceSwitch[] {
  const [ours, theirs] = [costVersion(one), costVersion(other)];
  return PROPERTIES.filter(([property]) => ours[property] !== theirs[property]).map(([, name]) => name);
}

/** Returns the cost formulas of `minor`, but with the switches `names` as `other` sets them. */
export function costsWith(minor: Minor, names: ReadonlySet<string>, other: Minor): CostVersion {
  const theirs = costVersion(other);
  const set = PROPERTIES.filter(([, name]) => names.has(name)).map(([property]) => [property, theirs[property]] as const);
  return { ...costVersion(minor), ...Object.fromEntries(set) };
}

/** Estimated highest cost of one evaluation in cost units, and the switches that the estimate read. */
export interface SwitchedEstimate {
  readonly max: bigint;
  readonly read: ReadonlySet<PriceSwitch>;
}

/** Estimates the highest cost of an expression under the given cost formulas. Nothing is cached, so the formulas may be of no minor version. */
export function estimateUnder(checked: CheckedExpression, self: DeclaredType, costs: CostVersion): SwitchedEstimate {
  const used: UsedCosts = {};
  const shape = shapeOf(self);
  const { max } = estimateCost(checked, { sizeAt: (path) => schemaSize(shape, path), costs: recordingCosts(costs, used) });
  return { max, read: new Set(PROPERTIES.filter(([property]) => property in used).map(([, name]) => name)) };
}
