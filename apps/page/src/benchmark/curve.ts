import type { RuleGrowth, SizeUnit } from '#benchmark';
import { growthText } from '#numbers';

/** A point of a curve: `y` is the cost or the time if the field has the size `x`. */
export interface CurvePoint {
  readonly x: number;
  readonly y: number;
}

/** Growth of a rule's cost with the field of steepest growth, or with several fields whose sizes multiply. */
export interface Curve {
  /** Fields as text, such as `spec.a × spec.b`. */
  readonly fields: string;
  readonly unit: SizeUnit;
  /** True if the cost grows with several fields together. At each point of the curve, all these fields have the size `x`. */
  readonly isJoint: boolean;
  /** Growth of the cost as text, such as `n²` or `n^1.40`. */
  readonly growth: string;
  /** Cost units of one evaluation by size, in ascending order of size. Sizes and costs are above 0. */
  readonly points: readonly CurvePoint[];
  /** Largest size that the schema allows for the field; absent if the schema has no bound, or if the cost grows with several fields. */
  readonly bound?: number;
  /** Cost units of one evaluation at `bound`. */
  readonly costAtBound?: number;
  /** Smallest size at which a server refuses the write because of its cost; absent if the study found no such size. */
  readonly refusedFrom?: number;
  /** Smallest size that a server would refuse if the schema had no bound; absent if no such size is known. */
  readonly wouldEndAt?: number;
}

/** Returns the curve of the steepest growth of a rule's cost. Returns undefined if the study found no growth. */
export function curveOf({ growsWith: [steepest], growsTogether, budgetEndsAt: end }: RuleGrowth): Curve | undefined {
  const [first] = growsTogether?.fields ?? (steepest ? [steepest] : []);
  const growth = growsTogether ?? steepest;
  if (first === undefined || growth === undefined) return undefined;
  const { wouldEndAt } = growth;
  const ends =
    end !== undefined && end.field === first.field && end.unit === first.unit && (end.together !== undefined) === !!growsTogether;
  const bounded = growsTogether === undefined ? steepest : undefined;
  return {
    fields: (growsTogether?.fields ?? [first]).map(({ field }) => field).join(' × '),
    unit: first.unit,
    isJoint: growsTogether !== undefined,
    growth: growth.near ?? growthText(growth.costExponent),
    points: growth.points
      .filter(({ size, cost }) => size > 0 && cost > 0)
      .map(({ size, cost }) => ({ x: size, y: cost }))
      .toSorted((a, b) => a.x - b.x),
    ...(bounded?.bound !== undefined && { bound: bounded.bound }),
    ...(bounded?.costAtBound !== undefined && { costAtBound: bounded.costAtBound }),
    ...(ends && { refusedFrom: end.size }),
    ...(wouldEndAt !== undefined && { wouldEndAt }),
  };
}

/**
 * Cost at a size. The cost is exact if this size was evaluated. If not, the cost is interpolated linearly between the neighbouring points
 * on logarithmic axes.
 */
export interface CostAtSize {
  readonly size: number;
  readonly cost: number;
  readonly isExact: boolean;
}

/**
 * Returns the cost at a size. If the size is below or above all points of the curve, returns the cost at the nearest point. Undefined if
 * there are no points.
 */
export function costAtSize({ points }: Pick<Curve, 'points'>, size: number): CostAtSize | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const x = Math.min(Math.max(size, first.x), last.x);
  const above = points.find((point) => point.x >= x) ?? last;
  if (above.x === x) return { size: x, cost: above.y, isExact: true };
  const below = points.findLast((point) => point.x < x) ?? first;
  const share = Math.log(x / below.x) / Math.log(above.x / below.x);
  return { size: x, cost: Math.round(below.y * (above.y / below.y) ** share), isExact: false };
}
