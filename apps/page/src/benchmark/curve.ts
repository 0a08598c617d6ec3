import type { RuleGrowth, SizeUnit } from '#benchmark';
import { growthText } from '#numbers';

/** A point of a curve: `y` is the cost or the time if the field has the size `x`. */
interface CurvePoint {
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

/** Line of a chart. Its role determines colour, dash and marker. */
export interface DrawnLine {
  readonly name: string;
  readonly role: 'present' | 'older' | 'slower';
  /** Points with sizes and values above 0, in ascending order of size. */
  readonly points: readonly CurvePoint[];
}

/** Content of a chart with two logarithmic axes. */
export interface CurveChart {
  readonly lines: readonly DrawnLine[];
  /** Shaded band of the chart, which covers the values from `lo` to `hi` at each size `x`. */
  readonly band?: readonly { readonly x: number; readonly lo: number; readonly hi: number }[];
  readonly horizontals: readonly { readonly y: number; readonly label: string }[];
  readonly verticals: readonly { readonly x: number; readonly label: string }[];
}

/** Width of a chart in px, and functions that return the tick labels of its axes. */
export interface DrawingForm {
  readonly width: number;
  readonly xText: (x: number) => string;
  readonly yText: (y: number) => string;
}

/** Label with its position in px. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

/** Laid-out chart with all positions in px from its upper left corner. */
export interface CurveDrawing {
  readonly width: number;
  readonly height: number;
  readonly plot: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  readonly xTicks: readonly PlacedText[];
  readonly yTicks: readonly PlacedText[];
  readonly lines: readonly { readonly role: DrawnLine['role']; readonly path: string; readonly dots: readonly CurvePoint[] }[];
  /** SVG path of the band; absent if there is no band. */
  readonly band?: string;
  readonly horizontals: readonly { readonly y: number; readonly label: PlacedText }[];
  readonly verticals: readonly { readonly x: number; readonly label: PlacedText }[];
}

const HEIGHT = 300;
const PLOT = { left: 48, top: 14, bottom: HEIGHT - 44 } as const;
const LEFT_OF_EDGE = 14;
/** Space in px that a tick label needs. */
const [TICK_WIDTH, TICK_HEIGHT] = [56, 24] as const;
/** Height of a label, px. */
const LABEL = 16;

/** Computes the positions of all parts of a chart with two logarithmic axes. Returns undefined if there is nothing to draw. */
export function layOutCurves({ lines, band = [], horizontals, verticals }: CurveChart, form: DrawingForm): CurveDrawing | undefined {
  const points = lines.flatMap((line) => line.points);
  if (points.length === 0) return undefined;
  const { width, xText, yText } = form;
  const plot = { ...PLOT, right: width - LEFT_OF_EDGE };
  const x = logScale([...points.map((point) => point.x), ...verticals.map((one) => one.x)], [plot.left, plot.right]);
  const values = [...points.map((point) => point.y), ...horizontals.map((one) => one.y), ...band.flatMap(({ lo, hi }) => [lo, hi])];
  const y = logScale(values, [plot.bottom, plot.top]);
  const at = (point: CurvePoint): CurvePoint => ({ x: x.at(point.x), y: y.at(point.y) });
  const edge = [
    ...band.map(({ x: size, hi }) => ({ x: size, y: hi })),
    ...band.toReversed().map(({ x: size, lo }) => ({ x: size, y: lo })),
  ];
  return {
    width,
    height: HEIGHT,
    plot,
    xTicks: x.ticks(TICK_WIDTH).map((value) => ({ text: xText(value), x: x.at(value), y: plot.bottom + 17, anchor: 'middle' })),
    yTicks: y.ticks(TICK_HEIGHT).map((value) => ({ text: yText(value), x: plot.left - 7, y: y.at(value) + 4, anchor: 'end' })),
    lines: lines.map(({ role, points: own }) => ({ role, path: pathThrough(own.map(at)), dots: own.map(at) })),
    ...(band.length > 0 && { band: `${pathThrough(edge.map(at))}Z` }),
    // Curves rise to the right. So labels of horizontal lines fit on the left, and labels of vertical lines fit at the bottom right.
    horizontals: horizontals.map((one) => {
      const height = y.at(one.y);
      return { y: height, label: { text: one.label, x: plot.left + 6, y: height - 5, anchor: 'start' } };
    }),
    verticals: placedVerticals(verticals, x.at, plot),
  };
}

/** Computes the positions of vertical lines. Their labels are placed above each other, so that no label covers another one. */
function placedVerticals(
  verticals: CurveChart['verticals'],
  xAt: (x: number) => number,
  { left, right, bottom }: CurveDrawing['plot'],
): CurveDrawing['verticals'] {
  return verticals
    .toSorted((a, b) => a.x - b.x)
    .map(({ x, label }, i) => {
      const place = xAt(x);
      const isRight = place > (left + right) / 2;
      const text = { text: label, x: place + (isRight ? -6 : 6), y: bottom - 8 - LABEL * i, anchor: isRight ? 'end' : 'start' } as const;
      return { x: place, label: text };
    });
}

const px = (value: number): string => value.toFixed(1);

const pathThrough = (points: readonly CurvePoint[]): string =>
  points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${px(x)},${px(y)}`).join('');

/** A logarithmic axis. */
interface LogScale {
  readonly at: (value: number) => number;
  /** Returns round values for ticks with a distance of at least `room` px. */
  readonly ticks: (room: number) => readonly number[];
}

/** Factor by which an axis extends below its smallest value and above its largest value. */
const BEYOND = 1.4;

function logScale(values: readonly number[], [from, to]: readonly [number, number]): LogScale {
  const lo = Math.log10(Math.min(...values) / BEYOND);
  const hi = Math.log10(Math.max(...values) * BEYOND);
  const at = (value: number): number => from + ((Math.log10(value) - lo) / (hi - lo)) * (to - from);
  return { at, ticks: (room) => roundValues(lo, hi, (room * (hi - lo)) / Math.abs(to - from)) };
}

/**
 * Returns powers of ten between two exponents, and multiples by 2 and 5 if there is space. The logarithms of neighbouring values differ by
 * at least `apart`.
 */
function roundValues(lo: number, hi: number, apart: number): readonly number[] {
  const step = Math.max(1, Math.ceil(apart));
  const parts = apart <= Math.log10(2) ? [1, 2, 5] : apart <= Math.log10(3) ? [1, 3] : [1];
  const found: number[] = [];
  for (let exponent = step * Math.floor(lo / step); exponent <= hi; exponent += step)
    for (const part of parts) {
      const value = part * 10 ** exponent;
      if (Math.log10(value) >= lo && Math.log10(value) <= hi) found.push(value);
    }
  return found;
}
