import { costGrowth } from '../figures/cost-growth.ts';
import type { CostGrowth, CostPoint } from '../figures/cost-growth.ts';
import type { Candidate, RuleProbe, TrialLimits } from './rule-probe.ts';
import { sized } from './dimensions.ts';
import type { Dimension } from './dimensions.ts';

/** Costs along a dimension. */
export interface CostSeries {
  readonly dimension: Dimension;
  readonly points: readonly CostPoint[];
  readonly growth: CostGrowth;
}

/** Sizes at which series begin. */
const FIRST = { items: 4, properties: 4, 'code points': 16, 'code points of keys': 16 } as const;
/** An exponent is told from such sizes, whatever the schema's bound. */
const TELLING = 1024;
/** Longest series. */
const LONGEST = { items: 262_144, properties: 262_144, 'code points': 1_048_576, 'code points of keys': 32_768 } as const;
/** A cost that is the same at so many sizes does not grow. */
const FLAT_POINTS = 7;
/** Keywords are asked at the first sizes only: what holds for two sizes holds for more, up to the bound. */
const CHECKED_POINTS = 3;

/** Returns what a rule costs along a dimension, from small sizes on by doubling, until a limit, the bytes or the token end it. */
export function costSeries(probe: RuleProbe, from: Candidate, dimension: Dimension, limits: TrialLimits): CostSeries {
  const points: CostPoint[] = [];
  const end = Math.min(LONGEST[dimension.unit], Math.max(dimension.most, TELLING));
  for (let size = FIRST[dimension.unit]; size <= end; size *= 2) {
    if (size < dimension.least) continue;
    const isChecked = size <= dimension.most && points.length < CHECKED_POINTS;
    const trial = probe.try({ ...from, plan: sized(from.plan, dimension, size) }, { ...limits, isChecked });
    if (trial.kind !== 'evaluated' || trial.outcome === 'overLimit') break;
    points.push({ size, cost: trial.cost });
    if (points.length >= FLAT_POINTS && points.every(({ cost }) => cost === trial.cost)) break;
  }
  return { dimension, points, growth: costGrowth(points) };
}
