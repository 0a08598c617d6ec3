import { costGrowth } from '../figures/cost-growth.ts';
import type { CostGrowth } from '../figures/cost-growth.ts';
import type { Dimension } from './dimensions.ts';
import { sizeSeries } from './growth.ts';
import type { CostSeries, SizeSeries } from './growth.ts';
import type { Candidate, RuleProbe, TrialLimits } from './rule-probe.ts';

/**
 * Costs of a rule for sizes that several fields have in common. Relative to the bytes of the value, the cost grows faster than for each
 * field alone.
 */
export interface JointSeries extends SizeSeries {
  /** Two or more dimensions, the one with the steepest growth first. */
  readonly dimensions: readonly Dimension[];
}

/** Maximum number of fields that grow together. */
const MOST_TOGETHER = 3;
/** Minimum rise of the exponent (of cost relative to bytes) with which a field is added to the fields that grow together. */
const LEAST_RISE = 0.25;

/**
 * Finds fields whose sizes multiply in the cost, such as two lists of which all pairs of elements are compared. Sizes that also multiply
 * the bytes, such as those of a list and of its elements, do not count.
 *
 * @param series Series of single fields, the one with the steepest growth first.
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
    if (joint.dimensions.length === MOST_TOGETHER) break;
    const dimensions = [...joint.dimensions, dimension];
    const together = sizeSeries(probe, from, dimensions, limits);
    if (exponentInBytes(together) >= exponentInBytes(joint) + LEAST_RISE) joint = { ...together, dimensions };
  }
  return joint.dimensions.length > 1 ? joint : undefined;
}

/** Returns the exponent of the cost divided by the exponent of the bytes. Returns 0 if the growth of the cost cannot be determined. */
function exponentInBytes({ points, growth }: SizeSeries): number {
  const bytes = costGrowth(points.map((point) => ({ size: point.size, cost: point.bytes })));
  return exponentOf(growth) / Math.max(1, exponentOf(bytes));
}

const exponentOf = (growth: CostGrowth): number => (growth.kind === 'grows' ? growth.exponent : 0);
