import { costGrowth } from '../figures/cost-growth.ts';
import type { CostGrowth, CostPoint } from '../figures/cost-growth.ts';
import type { Dimension } from './dimensions.ts';
import type { Candidate, RuleProbe, TrialLimits } from './rule-probe.ts';
import { PER_CALL_LIMIT } from '#kube';
import { withSizes, commonBounds } from './dimensions.ts';

/**
 * Costs of a rule if several fields grow together and have the same size. For the same bytes of the value, the
 * cost then grows faster than if only one field grows.
 */
export interface JointSeries extends SizeSeries {
  /** Two or more dimensions (sizes of fields), the one with the steepest growth first. */
  readonly dimensions: readonly Dimension[];
}

/** Maximum number of fields that grow together. */
const MAX_TOGETHER = 3;
/**
 * Minimum rise of the exponent that a field must cause. Otherwise, it is not added to the fields that grow together. The exponent describes
 * the cost in relation to the bytes.
 */
const MIN_RISE = 0.25;

/**
 * Finds fields whose sizes multiply in the cost of a rule, such as two lists of which all pairs of elements are compared. Ignores fields
 * whose sizes also multiply in the object's bytes, such as the size of a list and the size of its elements. Returns the rule's costs at
 * different sizes, for which all found fields have the same size. Returns undefined if there are no such fields.
 *
 * @param series Series of single fields. The field with the steepest growth is first.
 */
export function jointGrowth(
  probe: RuleProbe,
  from: Candidate,
  series: readonly CostSeries[],
  limits: TrialLimits,
): JointSeries | undefined {
  const [first, ...others] = series.filter(({ growth }) => growth.kind === 'grows');
  if (first === undefined) return undefined;
  let joint: JointSeries = { ...first, dimensions: [first.dimension] };
  for (const { dimension } of others) {
    if (joint.dimensions.length === MAX_TOGETHER) break;
    const dimensions = [...joint.dimensions, dimension];
    const together = sizeSeries(probe, from, dimensions, limits);
    if (exponentInBytes(together) >= exponentInBytes(joint) + MIN_RISE) joint = { ...together, dimensions };
  }
  return joint.dimensions.length > 1 ? joint : undefined;
}

/** Returns the exponent of the cost divided by the exponent of the bytes. Returns 0 if the growth of the cost cannot be determined. */
function exponentInBytes({ points, growth }: SizeSeries): number {
  const bytes = costGrowth(points.map((point) => ({ size: point.size, cost: point.bytes })));
  return exponentOf(growth) / Math.max(1, exponentOf(bytes));
}

const exponentOf = (growth: CostGrowth): number => (growth.kind === 'grows' ? growth.exponent : 0);

/** Costs of a rule at growing sizes along one dimension, which is the size of one field. */
export interface CostSeries extends SizeSeries {
  readonly dimension: Dimension;
}

/** Costs of a rule as one or more fields of its value become larger, and the growth law of these costs. */
interface SizeSeries {
  readonly points: readonly SeriesPoint[];
  readonly growth: CostGrowth;
}

/** Cost of a rule at one size of a field, and the JSON size of the value on which the rule was evaluated. */
export interface SeriesPoint extends CostPoint {
  /** Size of the node's value in bytes of JSON. */
  readonly bytes: number;
}

/** First size of a series, by unit. */
const FIRST = { items: 4, properties: 4, 'code points': 16, 'code points of keys': 16 } as const;
/** Size up to which a series is measured to determine its exponent, even if the schema's bound is smaller. */
const TELLING = 1024;
/** Largest size of a series, by unit. */
const MAX_SIZES = { items: 262_144, properties: 262_144, 'code points': 1_048_576, 'code points of keys': 32_768 } as const;
/** Number of points with the same cost after which the cost counts as constant. */
const FLAT_POINTS = 7;
/**
 * Number of points at which schema keywords are checked. If the keywords hold for the first sizes, they hold for all sizes up to the bound.
 */
const CHECKED_POINTS = 3;

/**
 * Returns the costs of a rule for growing sizes of one field, the `dimension`. The other fields are as in the candidate (plan of a value)
 * `from`. The size doubles until the growth is clear, unless a limit or the cancellation token ends the series earlier.
 */
export function costSeries(probe: RuleProbe, from: Candidate, dimension: Dimension, limits: TrialLimits): CostSeries {
  return { dimension, ...sizeSeries(probe, from, [dimension], limits) };
}

/**
 * Adds points to a series of costs by doubling the size of one field again and again. Returns the longer series. Sizes beyond the schema's
 * bound, or beyond the largest size that fits into a request, are not tried. The series ends early if the cost exceeds the server's limit
 * for one evaluation, or if the cost does not change.
 */
export function extendSeries(probe: RuleProbe, from: Candidate, { dimension, points }: CostSeries, limits: TrialLimits): CostSeries {
  return { dimension, ...doubled(probe, { from, dimensions: [dimension], points }, MAX_SIZES[dimension.unit], limits) };
}

/**
 * Returns the costs of a rule at increasing sizes of the fields in `dimensions`. In each evaluation, all these fields have the same size.
 * The sizes double until they show how the cost grows.
 */
function sizeSeries(probe: RuleProbe, from: Candidate, dimensions: readonly Dimension[], limits: TrialLimits): SizeSeries {
  return doubled(probe, { from, dimensions, points: [] }, TELLING, limits);
}

/** A series to which further points can be added. */
interface BegunSeries {
  readonly from: Candidate;
  readonly dimensions: readonly Dimension[];
  readonly points: readonly SeriesPoint[];
}

function doubled(probe: RuleProbe, { from, dimensions, points: begun }: BegunSeries, last: number, limits: TrialLimits): SizeSeries {
  const points = [...begun];
  const { least, most } = commonBounds(dimensions);
  const end = Math.min(last, Math.max(most, TELLING));
  const isOver = (): boolean => (points.at(-1)?.cost ?? 0) > PER_CALL_LIMIT;
  for (let size = nextSize(points, dimensions); size <= end && !isOver(); size *= 2) {
    if (size < least) continue;
    const isChecked = size <= most && points.length < CHECKED_POINTS;
    const trial = probe.try({ ...from, plan: withSizes(from.plan, dimensions, size) }, { ...limits, isChecked });
    if (trial.kind !== 'evaluated' || trial.outcome === 'overLimit') break;
    points.push({ size, cost: trial.cost, bytes: trial.bytes });
    if (points.length >= FLAT_POINTS && points.every(({ cost }) => cost === trial.cost)) break;
  }
  return { points, growth: costGrowth(points) };
}

const nextSize = (points: readonly SeriesPoint[], dimensions: readonly Dimension[]): number =>
  2 * (points.at(-1)?.size ?? 0) || Math.max(...dimensions.map(({ unit }) => FIRST[unit]));
