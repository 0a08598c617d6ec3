import { costGrowth } from '../figures/cost-growth.ts';
import type { CostGrowth } from '../figures/cost-growth.ts';
import type { Dimension } from './dimensions.ts';
import { sizeSeries } from './growth.ts';
import type { CostSeries, SizeSeries } from './growth.ts';
import type { Candidate, RuleProbe, TrialLimits } from './rule-probe.ts';

/** Costs by one size that several fields have. By bytes of the value, the cost grows faster than for any field alone. */
export interface JointSeries extends SizeSeries {
  /** Two fields or more, the steepest first. */
  readonly dimensions: readonly Dimension[];
}

/** Fields that are grown together, at most. */
const MOST_TOGETHER = 3;
/** A field belongs to the others if the exponent of cost in bytes rises by so much with it. */
const LEAST_RISE = 0.25;

/**
 * Finds fields whose sizes multiply in the cost: two lists of which each pair is compared. Sizes that multiply the bytes, too, such as those of a list and of
 * its elements, are no such fields.
 *
 * @param series series of single fields, the steepest first
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

/** Returns the exponent of cost divided by that of bytes; 0 if it cannot be told. */
function exponentInBytes({ points, growth }: SizeSeries): number {
  const bytes = costGrowth(points.map((point) => ({ size: point.size, cost: point.bytes })));
  return exponentOf(growth) / Math.max(1, exponentOf(bytes));
}

const exponentOf = (growth: CostGrowth): number => (growth.kind === 'grows' ? growth.exponent : 0);
