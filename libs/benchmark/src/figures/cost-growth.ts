import { fitTerms } from './least-squares.ts';
import type { SizedValue } from './least-squares.ts';

/** An exact cost at a size. */
export interface CostPoint {
  /** Elements, characters or whatever grows; above 0. */
  readonly size: number;
  /** Cost units, a whole number. */
  readonly cost: number;
}

/** The growth that an exponent is near. */
export type GrowthName = 'log n' | 'n' | 'n log n' | 'n²' | 'n³';

/** Growth of an exact cost with the size. */
export type CostGrowth =
  /** The cost does not rise from the second largest size to the largest. `from`: the least size from which it does not. */
  | { readonly kind: 'flat'; readonly from: number }
  | {
      readonly kind: 'grows';
      /**
       * The exponent of what grows, without the constant part: 1 for a + b·n whatever a is. The largest sizes decide: n·log n has about 1.14
       * at 1,024 elements. Growth as log n or slower has 0.
       */
      readonly exponent: number;
      /** The growth that the cost has or is near; undefined if no known growth is within 0.05 of the exponent. */
      readonly near: GrowthName | undefined;
      /** The cost is a sum of such terms from this size on; undefined if only the last three points tell the exponent. */
      readonly exactFrom: number | undefined;
    }
  /** The cost rises between fewer than two pairs of neighbouring sizes, or by too few steps to tell the growth. */
  | { readonly kind: 'tooFew' };

type Growing = Extract<CostGrowth, { readonly kind: 'grows' }>;

/** A form of growth: terms of which the last one outgrows the others. */
interface Form {
  readonly name: GrowthName;
  /** Undefined where the slope changes with the size. */
  readonly exponent: number | undefined;
  readonly terms: readonly ((size: number) => number)[];
  /** It must hold for so many points more than it has terms. */
  readonly spare: number;
}

const one = (): number => 1;
const linear = (size: number): number => size;
const power = (exponent: number) => (size: number) => size ** exponent;

/** Forms in the order in which they are tried: the simplest that fits is told. Two steps of equal height look like log n, so it needs more points. */
const FORMS: readonly Form[] = [
  { name: 'n', exponent: 1, terms: [one, linear], spare: 1 },
  { name: 'log n', exponent: 0, terms: [one, (size) => Math.log2(size)], spare: 2 },
  { name: 'n log n', exponent: undefined, terms: [one, linear, (size) => size * Math.log2(size)], spare: 1 },
  { name: 'n²', exponent: 2, terms: [one, linear, power(2)], spare: 1 },
  { name: 'n³', exponent: 3, terms: [one, linear, power(2), power(3)], spare: 1 },
];

/** Largest residual of a form that fits, as a share of the growth. Other powers are told apart by 0.02 % and more. */
const EXACT = 1e-4;
/** A leading term that makes less of the growth than this is rounding. */
const LEAST_LEADING = 0.05;
/** Least number of steps in which a cost must grow to tell its growth. */
const FEWEST_STEPS = 5;
/** Residual of a line through steps that were rounded up, in steps. */
const STEP_RESIDUAL = 0.75;
const NEAR = 0.05;

/**
 * Tells the exponent of an exact cost. Exact costs allow exact answers. The simplest form whose terms add up to the costs is told, for as many of the largest sizes as possible. A cost that rises by steps (a unit each ten characters) is held against a line within a step.
 * Else the exponent solves a + b·nᵏ through the last three points, of which a constant part hides nothing.
 *
 * @param points sizes that roughly double, in any order. Growth that begins at a threshold needs three sizes beyond it.
 */
export function costGrowth(points: readonly CostPoint[]): CostGrowth {
  const sorted = bySize(points);
  if (sorted.length < 3) return { kind: 'tooFew' };
  const flatFrom = startOfFlat(sorted);
  if (flatFrom !== undefined) return { kind: 'flat', from: flatFrom };
  return exactGrowth(sorted) ?? steppedGrowth(sorted) ?? lastGrowth(sorted);
}

/** Sorts points by size, and keeps one point a size. */
function bySize(points: readonly CostPoint[]): readonly SizedValue[] {
  const costs = new Map(points.filter(({ size }) => size > 0).map(({ size, cost }) => [size, cost]));
  return [...costs].map(([size, value]) => ({ size, value })).toSorted((a, b) => a.size - b.size);
}

/** Finds the size from which the cost never rises; undefined if it rises at the end. */
function startOfFlat(points: readonly SizedValue[]): number | undefined {
  const rises = points.findLastIndex(({ value }, i) => i > 0 && value > (points[i - 1]?.value ?? value));
  return rises === points.length - 1 ? undefined : points[Math.max(rises, 0)]?.size;
}

function exactGrowth(points: readonly SizedValue[]): Growing | undefined {
  for (const { name, exponent, terms, spare } of FORMS)
    for (let count = points.length; count >= terms.length + spare; count--) {
      const window = points.slice(-count);
      if (!holdsExactly(window, terms)) continue;
      return { kind: 'grows', exponent: exponent ?? lastExponent(window), near: name, exactFrom: window[0]?.size };
    }
  return undefined;
}

function holdsExactly(window: readonly SizedValue[], terms: Form['terms']): boolean {
  const fit = fitTerms(withoutFirst(window), terms);
  const growth = growthOver(window);
  return fit !== undefined && fit.residual <= EXACT * growth && (fit.coefficients.at(-1) ?? 0) >= LEAST_LEADING * growth;
}

/** Takes the first value off all: a large constant part would use up the digits of the fit. */
const withoutFirst = (points: readonly SizedValue[]): SizedValue[] =>
  points.map(({ size, value }) => ({ size, value: value - (points[0]?.value ?? 0) }));

const growthOver = (points: readonly SizedValue[]): number => (points.at(-1)?.value ?? 0) - (points[0]?.value ?? 0);

/** Holds the cost, and the cost of each element, against a line that was rounded up to steps. */
function steppedGrowth(points: readonly SizedValue[]): Growing | undefined {
  if (isSteppedLine(points)) return { kind: 'grows', exponent: 1, near: 'n', exactFrom: undefined };
  const each = points.map(({ size, value }) => ({ size, value: value / size }));
  const isWhole = each.every(({ value }) => Number.isInteger(value));
  return isWhole && isSteppedLine(each) ? { kind: 'grows', exponent: 2, near: 'n²', exactFrom: undefined } : undefined;
}

function isSteppedLine(points: readonly SizedValue[]): boolean {
  if (points.length < FEWEST_STEPS) return false;
  const step = stepOf(points);
  const fit = fitTerms(withoutFirst(points), [one, linear]);
  return fit !== undefined && growthOver(points) >= FEWEST_STEPS * step && fit.residual <= STEP_RESIDUAL * step;
}

/** Returns the greatest common divisor of all differences: the cost rises by multiples of it. */
const stepOf = (points: readonly SizedValue[]): number =>
  withoutFirst(points).reduce((step, { value }) => greatestDivisor(step, Math.abs(value)), 0);

function greatestDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b];
  while (smaller > 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

function lastGrowth(points: readonly SizedValue[]): CostGrowth {
  const three = points.slice(-3);
  const rises = (three[1]?.value ?? 0) > (three[0]?.value ?? 0);
  if (!rises || growthOver(points) < FEWEST_STEPS * stepOf(points)) return { kind: 'tooFew' };
  const exponent = lastExponent(three);
  const near = FORMS.find((form) => form.exponent !== undefined && Math.abs(form.exponent - exponent) <= NEAR)?.name;
  return { kind: 'grows', exponent: Math.max(0, exponent), near, exactFrom: undefined };
}

const LARGEST_EXPONENT = 16;
const HALVINGS = 60;

/** Solves a + b·nᵏ for k through the last three points, by halving: the ratio of the two differences rises with k. */
function lastExponent(points: readonly SizedValue[]): number {
  const [a, b, c] = points.slice(-3);
  if (a === undefined || b === undefined || c === undefined) return Number.NaN;
  const wanted = (c.value - b.value) / (b.value - a.value);
  let [lo, hi] = [-LARGEST_EXPONENT, LARGEST_EXPONENT];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (lo + hi) / 2;
    const [first, last] = [Math.log(b.size / a.size), Math.log(c.size / b.size)];
    // b.sizeᵏ is taken out of both differences: nothing overflows.
    const ratio = middle === 0 ? last / first : Math.expm1(middle * last) / -Math.expm1(-middle * first);
    if (ratio < wanted) lo = middle;
    else hi = middle;
  }
  return (lo + hi) / 2;
}
