import type { CancellationToken } from '#go';
import type { CostPoint } from '../figures/cost-growth.ts';
import { sized } from '../search/dimensions.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { CostSeries, SeriesPoint, JointSeries } from '../search/joint-growth.ts';
import type { Candidate, RuleProbe } from '../search/rule-probe.ts';
import type { SearchSpace } from '../search/search-rule.ts';
import { overCall } from './find-limit.ts';
import type { FieldGrowth, JointFieldGrowth } from './rule-study.ts';

/**
 * Cost limit, in cost units, of an evaluation in a series. The limit is higher than the server's limit, so that growth beyond the server's
 * limit is visible.
 */
export const SERIES_LIMIT = 5_000_000;

/** Upper bound of a field's size. */
export interface SizeBound extends Pick<Dimension, 'field' | 'unit'> {
  readonly size: number;
}

/** Returns true if the cost is higher at the last size of the series than at the first. */
export const rises = ({ points }: CostSeries): boolean => (points.at(-1)?.cost ?? 0) > (points[0]?.cost ?? 0);

/**
 * Inputs with which a rule is evaluated again, at sizes of its fields that were not measured before. The inputs are the evaluator
 * (`probe`), the object plan to vary (`from`) and the cancellation token.
 */
export interface SeriesParts {
  readonly probe: RuleProbe;
  readonly from: Candidate;
  readonly token: CancellationToken;
}

/**
 * Returns how the cost of a rule grows with the size of one field. The result contains the field's bound and the cost at the bound. It also
 * contains the size at which a cost limit would stop the evaluation if there were no bound.
 */
export function growthOf(series: CostSeries, { probe, from, token }: SeriesParts, isSteepest: boolean): FieldGrowth {
  const { dimension, points, growth } = series;
  const { field, unit, most } = dimension;
  const isBounded = Number.isFinite(most);
  const limits = { costLimit: SERIES_LIMIT, token, isChecked: false };
  const atBound = rises(series) && isBounded ? probe.try({ ...from, plan: sized(from.plan, dimension, most) }, limits) : undefined;
  return {
    field,
    unit,
    bound: isBounded ? most : undefined,
    growth,
    costAtBound: atBound?.kind === 'evaluated' ? atBound.cost : undefined,
    wouldEndAt: rises(series) && isBounded && isSteepest ? overCall({ probe, from }, [dimension], token, Infinity) : undefined,
    points: points.map(bare),
  };
}

const bare = ({ size, cost }: SeriesPoint): CostPoint => ({ size, cost });

/**
 * Returns the growth of a rule's cost if several fields grow together and always have the same size. The result includes the size at which
 * one evaluation would exceed the server's cost limit.
 */
export function jointGrowthOf({ dimensions, points, growth }: JointSeries, { probe, from, token }: SeriesParts): JointFieldGrowth {
  return {
    fields: dimensions.map(({ field, unit }) => ({ field, unit })),
    growth,
    wouldEndAt: overCall({ probe, from }, dimensions, token, Infinity),
    points: points.map(bare),
  };
}

/**
 * Returns the cost of one evaluation if each field in `bounds` has the size of its suggested bound. Returns undefined if `bounds` is empty,
 * a field is unknown, or the value cannot be evaluated.
 */
export function costAt(bounds: readonly SizeBound[], { dimensions }: SearchSpace, { probe, from, token }: SeriesParts): number | undefined {
  let { plan } = from;
  for (const { field, unit, size } of bounds) {
    const dimension = dimensions.find((one) => one.field === field && one.unit === unit);
    if (dimension === undefined) return undefined;
    plan = sized(plan, dimension, size);
  }
  if (bounds.length === 0) return undefined;
  const trial = probe.try({ ...from, plan }, { costLimit: SERIES_LIMIT, token, isChecked: false });
  return trial.kind === 'evaluated' && trial.outcome !== 'overLimit' ? trial.cost : undefined;
}
