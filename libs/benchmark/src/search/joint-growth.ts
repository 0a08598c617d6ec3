import { costGrowth } from '../figures/cost-growth.ts';
import type { CostGrowth } from '../figures/cost-growth.ts';
import type { Dimension } from './dimensions.ts';
import { sizeSeries } from './growth.ts';
import type { CostSeries, SizeSeries } from './growth.ts';
import type { Candidate, RuleProbe, TrialLimits } from './rule-probe.ts';

/**
 * Costs of a rule if several fields grow together and have the same size. The cost grows faster in relation to the bytes of the value than
 * it does if only one field grows.
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
