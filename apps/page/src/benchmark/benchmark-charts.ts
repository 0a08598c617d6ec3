import { KEP_FACTOR, KEP_ITERATION_TIMES, kepMs } from '#kube';
import type { PlacedFindings } from '#benchmark';
import { OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import { grouped } from '#numbers';
import type { Curve, CurveChart, DrawnLine } from './curve.ts';

/**
 * Highest ratio of a schema's bound to the largest measured size at which a chart shows the bound. A larger ratio would compress the curve
 * into a corner.
 */
const FURTHEST_BOUND = 100;

/**
 * Returns the chart that shows a rule's cost by the size of the field with the steepest cost growth. If there is an older version of the
 * rule, the chart also shows the older curve.
 */
export function costChart(present: Curve, older: Curve | undefined): CurveChart {
  const largest = Math.max(...[present, ...(older ? [older] : [])].flatMap(({ points }) => points.map(({ x }) => x)));
  const { bound, refusedFrom } = present;
  const isNear = bound !== undefined && bound > 0 && bound <= FURTHEST_BOUND * largest;
  return {
    lines: [
      { name: lineName('present', present, older), role: 'present', points: present.points },
      ...(older ? [{ name: lineName('older', older, present), role: 'older' as const, points: older.points }] : []),
    ],
    horizontals: [
      { y: PER_CALL_LIMIT, label: `limit of one evaluation: ${grouped(PER_CALL_LIMIT)}` },
      { y: OBJECT_BUDGET, label: `budget of an object: ${grouped(OBJECT_BUDGET)}` },
    ],
    verticals: [
      ...(isNear ? [{ x: bound, label: `bound of the schema: ${grouped(bound)}` }] : []),
      ...(refusedFrom === undefined ? [] : [{ x: refusedFrom, label: `refused from ${grouped(refusedFrom)} on` }]),
    ],
  };
}

/**
 * Returns the name of a curve. The name includes the curve's fields and unit if the other curve has different fields or a different unit.
 */
function lineName(word: 'present' | 'older', own: Curve, other: Curve | undefined): string {
  const isOther = other !== undefined && (other.fields !== own.fields || other.unit !== own.unit);
  return `${word} rule, units${isOther ? ` (${own.fields}, ${own.unit})` : ''}`;
}

/** Chart of a rule's evaluation times. */
export interface TimeChart {
  readonly chart: CurveChart;
  readonly field: string;
  readonly unit: string;
  /** Name of the band with the times of KEP-2876; absent if the field is not a list. */
  readonly bandName?: string;
}

/**
 * Returns the chart that shows a rule's evaluation times by the size of the field with the steepest growth. Returns undefined if no times
 * were measured. If the field is a list, the chart also shows the range of times from KEP-2876.
 */
export function timeChart({ growsWith: [steepest] }: PlacedFindings): TimeChart | undefined {
  if (steepest === undefined) return undefined;
  const { field, unit, times } = steepest;
  const lines = times.flatMap(({ engine, points }): DrawnLine[] => {
    const timed = points.filter(({ size, ms }) => size > 0 && ms > 0).map(({ size, ms }) => ({ x: size, y: ms }));
    const role = engine === 'Assay compiled' ? 'present' : 'slower';
    return timed.length === 0 ? [] : [{ name: engine, role, points: timed.toSorted((a, b) => a.x - b.x) }];
  });
  if (lines.length === 0) return undefined;
  const isList = unit === 'items';
  return {
    chart: { lines, horizontals: [], verticals: [], ...(isList && { band: kepBand(lines) }) },
    field,
    unit,
    ...(isList && { bandName: `KEP-2876, iterating: its figure to ${KEP_FACTOR} times that` }),
  };
}

/**
 * Returns the times of KEP-2876 at the sizes of the chart's lines. `lo` is the time of plain Go, and `hi` the longest time that the KEP
 * allows for CEL. The result also contains the sizes that the KEP measured between the smallest and the largest size of the lines.
 */
function kepBand(lines: readonly DrawnLine[]): NonNullable<CurveChart['band']> {
  const sizes = lines.flatMap(({ points }) => points.map(({ x }) => x));
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const between = KEP_ITERATION_TIMES.map(({ elements }) => elements).filter((size) => size > least && size < most);
  return [...new Set([...sizes, ...between])].toSorted((a, b) => a - b).map((x) => ({ x, lo: kepMs(x), hi: KEP_FACTOR * kepMs(x) }));
}
