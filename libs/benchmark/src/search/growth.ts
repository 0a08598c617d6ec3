import { costGrowth } from '../figures/cost-growth.ts';
import type { CostGrowth, CostPoint } from '../figures/cost-growth.ts';
import type { Candidate, RuleProbe, TrialLimits } from './rule-probe.ts';
import { allSized, commonBounds } from './dimensions.ts';
import type { Dimension } from './dimensions.ts';

/** Costs along a dimension. */
export interface CostSeries extends SizeSeries {
  readonly dimension: Dimension;
}

/** Costs by size. */
export interface SizeSeries {
  readonly points: readonly SeriesPoint[];
  readonly growth: CostGrowth;
}

/** The cost at a size, and the value that has it. */
export interface SeriesPoint extends CostPoint {
  /** Bytes of JSON of the node's value. */
  readonly bytes: number;
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

/** Returns the costs of a rule along a dimension. Sizes double until a limit, the bytes or the token end the series. */
export function costSeries(probe: RuleProbe, from: Candidate, dimension: Dimension, limits: TrialLimits): CostSeries {
  return { dimension, ...sizeSeries(probe, from, [dimension], limits) };
}

/** Returns the costs of a rule by one size that several fields have. */
export function sizeSeries(probe: RuleProbe, from: Candidate, dimensions: readonly Dimension[], limits: TrialLimits): SizeSeries {
  const points: SeriesPoint[] = [];
  const { least, most } = commonBounds(dimensions);
  const units = dimensions.map(({ unit }) => unit);
  const end = Math.min(...units.map((unit) => LONGEST[unit]), Math.max(most, TELLING));
  for (let size = Math.max(...units.map((unit) => FIRST[unit])); size <= end; size *= 2) {
    if (size < least) continue;
    const isChecked = size <= most && points.length < CHECKED_POINTS;
    const trial = probe.try({ ...from, plan: allSized(from.plan, dimensions, size) }, { ...limits, isChecked });
    if (trial.kind !== 'evaluated' || trial.outcome === 'overLimit') break;
    points.push({ size, cost: trial.cost, bytes: trial.bytes });
    if (points.length >= FLAT_POINTS && points.every(({ cost }) => cost === trial.cost)) break;
  }
  return { points, growth: costGrowth(points) };
}
