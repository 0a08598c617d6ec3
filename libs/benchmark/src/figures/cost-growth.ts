import { fitTerms } from './least-squares.ts';
import type { SizedValue } from './least-squares.ts';

/** Exact cost of a rule at one size of a field, as a point of a series with growing sizes. */
export interface CostPoint {
  /** Size of the growing value, such as its number of elements or characters. It is above 0. */
  readonly size: number;
  /** Cost units, a whole number. */
  readonly cost: number;
}

/** Name of a known form of growth that is close to a measured exponent. */
export type GrowthName = 'log n' | 'n' | 'n log n' | 'n²' | 'n³';

/**
 * Growth of a rule's exact cost with the size of a field, such as the number of elements of a list. It is derived from costs at several
 * sizes.
 */
export type CostGrowth =
  /** The cost does not rise from the second largest size to the largest. `from`: the smallest size beyond which the cost does not rise. */
  | { readonly kind: 'flat'; readonly from: number }
  | {
      readonly kind: 'grows';
      /**
       * Exponent of the growing part of the cost, without the constant part. It is 1 for a + b·n with any a, and 0 for growth like log n or
       * slower. It describes the largest sizes: for n·log n, it is about 1.14 at 1,024 elements.
       */
      readonly exponent: number;
      /** Known form of growth that the cost has or is close to. Undefined if no known form is within 0.05 of the exponent. */
      readonly near: GrowthName | undefined;
      /**
       * Smallest size of the range in which the cost is exactly a sum of the form's terms. Undefined if the exponent is derived in another
       * way, for example only from the last three points.
       */
      readonly exactFrom: number | undefined;
    }
  /**
   * There are too few points to determine the growth. The cost rises between fewer than two pairs of neighbouring sizes, or by fewer than
   * five steps. A step is the greatest common divisor of all cost differences.
   */
  | { readonly kind: 'tooFew' };

type Growing = Extract<CostGrowth, { readonly kind: 'grows' }>;

/** A form of growth as a sum of terms. The last term grows faster than all others. */
interface Form {
  readonly name: GrowthName;
  /** Exponent of the form. Undefined if the form has no constant exponent, such as n·log n. */
  readonly exponent: number | undefined;
  readonly terms: readonly ((size: number) => number)[];
  /** Minimum number of points that the form must fit, in addition to one point for each term. */
  readonly spare: number;
}

const one = (): number => 1;
const linear = (size: number): number => size;
const power = (exponent: number) => (size: number) => size ** exponent;

/**
 * Forms of growth in the order in which they are tried. The first form that fits is reported, so simpler forms come first. The form log n
 * needs more points, because two steps of equal height also look like log n.
 */
const FORMS: readonly Form[] = [
  { name: 'n', exponent: 1, terms: [one, linear], spare: 1 },
  { name: 'log n', exponent: 0, terms: [one, (size) => Math.log2(size)], spare: 2 },
  { name: 'n log n', exponent: undefined, terms: [one, linear, (size) => size * Math.log2(size)], spare: 1 },
  { name: 'n²', exponent: 2, terms: [one, linear, power(2)], spare: 1 },
  { name: 'n³', exponent: 3, terms: [one, linear, power(2), power(3)], spare: 1 },
];

/**
 * Largest residual with which a form of growth still fits, as a share of the growth. A power with a wrong exponent has a residual of 0.02 %
 * or more.
 */
const EXACT = 1e-4;
/** Minimum share of the growth that the leading term must have. A smaller share is a rounding error. */
const MIN_LEADING_SHARE = 0.05;
/**
 * Minimum number of steps by which a cost must rise before its growth is reported. A step is the greatest common divisor of all cost
 * differences.
 */
const MIN_STEPS = 5;
/** Largest residual with which a line still fits a cost that rises in steps, as a multiple of the step. */
const STEP_RESIDUAL = 0.75;
const NEAR = 0.05;

/**
 * Determines how an exact cost grows with a size. Because the costs are exact, the exponent can be exact, too. The result is the simplest
 * form of growth, such as n², that fits as many of the largest sizes as possible exactly. Some costs rise by steps, such as one unit for
 * each ten characters. If no form fits, the costs are compared with a line, with a tolerance of one step. If the line does not fit either,
 * the exponent solves a + b·nᵏ through the last three points. The equation contains `a` so that a constant part hides no growth.
 *
 * @param points Sizes that roughly double, in any order. Growth that begins at a threshold needs three sizes beyond the threshold.
 */
export function costGrowth(points: readonly CostPoint[]): CostGrowth {
  const sorted = bySize(points);
  if (sorted.length < 3) return { kind: 'tooFew' };
  const flatFrom = startOfFlat(sorted);
  if (flatFrom !== undefined) return { kind: 'flat', from: flatFrom };
  return exactGrowth(sorted) ?? steppedGrowth(sorted) ?? lastGrowth(sorted);
}

/** Sorts points by size. Leaves out sizes that are not above 0, and keeps the last given point of each size. */
function bySize(points: readonly CostPoint[]): readonly SizedValue[] {
  const costs = new Map(points.filter(({ size }) => size > 0).map(({ size, cost }) => [size, cost]));
  return [...costs].map(([size, value]) => ({ size, value })).toSorted((a, b) => a.size - b.size);
}

/** Returns the smallest size beyond which the cost never rises. Returns undefined if the cost rises at the last size. */
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
  return fit !== undefined && fit.residual <= EXACT * growth && (fit.coefficients.at(-1) ?? 0) >= MIN_LEADING_SHARE * growth;
}

/** Subtracts the first value from all values, because a large constant part would reduce the precision of the fit. */
const withoutFirst = (points: readonly SizedValue[]): SizedValue[] =>
  points.map(({ size, value }) => ({ size, value: value - (points[0]?.value ?? 0) }));

const growthOver = (points: readonly SizedValue[]): number => (points.at(-1)?.value ?? 0) - (points[0]?.value ?? 0);

/**
 * Returns exponent 1 if the costs fit a line that is rounded up to steps. Returns exponent 2 if the costs per element fit such a line.
 * Returns undefined if neither fits.
 */
function steppedGrowth(points: readonly SizedValue[]): Growing | undefined {
  if (isSteppedLine(points)) return { kind: 'grows', exponent: 1, near: 'n', exactFrom: undefined };
  const each = points.map(({ size, value }) => ({ size, value: value / size }));
  const isWhole = each.every(({ value }) => Number.isInteger(value));
  return isWhole && isSteppedLine(each) ? { kind: 'grows', exponent: 2, near: 'n²', exactFrom: undefined } : undefined;
}

function isSteppedLine(points: readonly SizedValue[]): boolean {
  if (points.length < MIN_STEPS) return false;
  const step = stepOf(points);
  const fit = fitTerms(withoutFirst(points), [one, linear]);
  return fit !== undefined && growthOver(points) >= MIN_STEPS * step && fit.residual <= STEP_RESIDUAL * step;
}

/** Returns the greatest common divisor of all cost differences, which is the size of the cost's steps. */
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
  if (!rises || growthOver(points) < MIN_STEPS * stepOf(points)) return { kind: 'tooFew' };
  const exponent = lastExponent(three);
  const near = FORMS.find((form) => form.exponent !== undefined && Math.abs(form.exponent - exponent) <= NEAR)?.name;
  return { kind: 'grows', exponent: Math.max(0, exponent), near, exactFrom: undefined };
}

const MAX_EXPONENT = 16;
const HALVINGS = 60;

/** Solves a + b·nᵏ for k through the last three points. Bisection finds k, because the ratio of the two differences rises with k. */
function lastExponent(points: readonly SizedValue[]): number {
  const [a, b, c] = points.slice(-3);
  if (a === undefined || b === undefined || c === undefined) return Number.NaN;
  const wanted = (c.value - b.value) / (b.value - a.value);
  let [lo, hi] = [-MAX_EXPONENT, MAX_EXPONENT];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (lo + hi) / 2;
    const [first, last] = [Math.log(b.size / a.size), Math.log(c.size / b.size)];
    // `ratio` is (c.sizeᵏ − b.sizeᵏ) / (b.sizeᵏ − a.sizeᵏ). Dividing both differences by b.sizeᵏ prevents an overflow.
    const ratio = middle === 0 ? last / first : Math.expm1(middle * last) / -Math.expm1(-middle * first);
    if (ratio < wanted) lo = middle;
    else hi = middle;
  }
  return (lo + hi) / 2;
}
