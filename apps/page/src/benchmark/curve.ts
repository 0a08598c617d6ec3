import type { PlacedFindings, SizeUnit } from '#benchmark';
import { growthText } from '#charts';

/** A point of a curve. */
export interface CurvePoint {
  readonly x: number;
  readonly y: number;
}

/** The growth of a rule's cost with its steepest field, or with the fields that multiply. */
export interface Curve {
  /** Fields as text: `spec.a × spec.b`. */
  readonly fields: string;
  readonly unit: SizeUnit;
  /** True if several fields have each size. */
  readonly isJoint: boolean;
  /** `n²`, `n^1.40` */
  readonly growth: string;
  /** Cost units of one evaluation, by size; sizes and costs are above 0, and the smallest size comes first. */
  readonly points: readonly CurvePoint[];
  /** The bound of the schema; absent if there is none, or if several fields grow. */
  readonly bound?: number;
  /** Cost units of one evaluation at that bound. */
  readonly costAtBound?: number;
  /** The first size that a server refuses; absent if there is none. */
  readonly refusedFrom?: number;
  /** The first size that a server would refuse if the schema had no bound; absent if there is none. */
  readonly wouldEndAt?: number;
}

/** Returns the steepest growth of a rule's cost; undefined if it grows with nothing, or if too little is known. */
export function curveOf({ growsWith: [steepest], growsTogether, budgetEndsAt: end }: PlacedFindings): Curve | undefined {
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

/** A cost at a size. It is exact if the size was evaluated, and else on the straight line between its neighbours on logarithmic axes. */
export interface CostAtSize {
  readonly size: number;
  readonly cost: number;
  readonly isExact: boolean;
}

/** Returns the cost at a size; at the nearest one if it is outside of the points. Undefined if there are none. */
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
