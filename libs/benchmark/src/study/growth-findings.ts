import type { CancellationToken } from '#go';
import type { CostPoint } from '../figures/cost-growth.ts';
import { withSizes, withSize, withoutDimensions } from '../search/dimensions.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { CostSeries, SeriesPoint, JointSeries } from '../search/joint-growth.ts';
import { REQUEST_BYTES } from '../object/filled-object.ts';
import type { Candidate, RuleProbe } from '../search/rule-probe.ts';
import { overCall } from './find-limit.ts';
import type { FieldGrowth, JointFieldGrowth } from './rule-study.ts';

/**
 * Cost limit, in cost units, of an evaluation in a series. The limit is higher than the server's limit, so that growth beyond the server's
 * limit is visible.
 */
export const SERIES_LIMIT = 5_000_000;

/** Returns true if the cost is higher at the last size of the series than at the first. */
export const rises = ({ points }: CostSeries): boolean => (points.at(-1)?.cost ?? 0) > (points[0]?.cost ?? 0);

/**
 * Inputs with which a rule is evaluated again, at sizes of its fields that were not measured before. The inputs are the evaluator
 * (`probe`), the object plan to vary (`from`) and the cancellation token.
 */
export interface SeriesParts {
  readonly probe: RuleProbe;
  readonly from: Candidate;
  /** Most expensive object that was found, with small lists and maps above the rule's node. */
  readonly dearest: Candidate;
  /** All sizes that raise the cost. */
  readonly rising: readonly Dimension[];
  readonly token: CancellationToken;
}

/**
 * Returns the smallest size of all fields in `fixed` at which one evaluation exceeds its limit, even beyond the schema's bounds. All other
 * sizes that raise the cost are as large as the schema allows. Returns undefined if such a value does not fit into a request.
 */
function endWithoutBounds({ probe, dearest, rising, token }: SeriesParts, fixed: readonly Dimension[]): number | undefined {
  const free = withoutDimensions(rising, fixed);
  // Without a bound, other fields would fill a request, so a size of this field alone would say nothing.
  if (free.some(({ most }) => most > REQUEST_BYTES)) return undefined;
  const plan = free.reduce((full, one) => withSize(full, one, one.most), dearest.plan);
  return overCall(probe, (size) => ({ ...dearest, plan: withSizes(plan, fixed, size) }), fixed, token, Infinity);
}

/**
 * Returns how the cost of a rule grows with the size of one field. The result contains the field's bound and the cost at the bound. It also
 * contains the size at which a cost limit would stop the evaluation if there were no bound.
 */
export function growthOf(series: CostSeries, parts: SeriesParts, isSteepest: boolean): FieldGrowth {
  const { probe, from, token } = parts;
  const { dimension, points, growth } = series;
  const { field, unit, most } = dimension;
  const isBounded = Number.isFinite(most);
  const limits = { costLimit: SERIES_LIMIT, token, isChecked: false };
  const atBound = rises(series) && isBounded ? probe.try({ ...from, plan: withSize(from.plan, dimension, most) }, limits) : undefined;
  return {
    field,
    unit,
    bound: isBounded ? most : undefined,
    growth,
    costAtBound: atBound?.kind === 'evaluated' ? atBound.cost : undefined,
    wouldEndAt: rises(series) && isBounded && isSteepest ? endWithoutBounds(parts, [dimension]) : undefined,
    points: points.map(bare),
  };
}

const bare = ({ size, cost }: SeriesPoint): CostPoint => ({ size, cost });

/**
 * Returns the growth of a rule's cost if several fields grow together and always have the same size. The result includes the size at which
 * one evaluation would exceed the server's cost limit.
 */
export function jointGrowthOf({ dimensions, points, growth }: JointSeries, parts: SeriesParts): JointFieldGrowth {
  return {
    fields: dimensions.map(({ field, unit }) => ({ field, unit })),
    growth,
    wouldEndAt: endWithoutBounds(parts, dimensions),
    points: points.map(bare),
  };
}
