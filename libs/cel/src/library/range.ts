/**
 * Maximum of cost units and sizes. Both are uint64, and sums and products are limited to 2^64−1 as in upstream. Source: cel-go
 * checker/cost.go (v0.29.2).
 */
export const MAX_UNITS = 0xffff_ffff_ffff_ffffn;

/** Range from the lowest to the highest number of cost units. Kubernetes reads only `max`. */
export interface CostRange {
  readonly min: bigint;
  readonly max: bigint;
}

/**
 * Range from the smallest to the largest size. A size counts code points of a string, bytes of a bytes value, elements of a list, or
 * entries of a map.
 */
export interface SizeRange {
  readonly min: bigint;
  readonly max: bigint;
  /** Size of the keys of a map. Only the estimates of cel-go's package `common/cost` (v0.33.2) know it. */
  readonly key?: SizeRange | undefined;
  /** Size of the elements of a list, or of the values of a map. Known to the same estimates as `key`. */
  readonly element?: SizeRange | undefined;
}

/** Returns `a + b`, limited to 2^64−1. */
export function addUnits(a: bigint, b: bigint): bigint {
  const sum = a + b;
  return sum > MAX_UNITS ? MAX_UNITS : sum;
}

/** Returns `a × b`, limited to 2^64−1. */
function multiplyUnits(a: bigint, b: bigint): bigint {
  const product = a * b;
  return product > MAX_UNITS ? MAX_UNITS : product;
}

/** Returns ⌈units · factor⌉, computed in float64 as in Go and limited to 2^64−1. */
function scaleUnits(units: bigint, factor: number): bigint {
  const scaled = Math.ceil(Number(units) * factor);
  return scaled >= 18446744073709551615 ? MAX_UNITS : BigInt(scaled);
}

/** Returns the range from `min` to `max`, both included. */
export const range = (min: bigint, max: bigint): CostRange => ({ min, max });
/** Returns the range that contains only `units`. */
export const exactly = (units: bigint): CostRange => ({ min: units, max: units });
/** Returns the sum of two ranges. Minimum and maximum are added separately and limited to 2^64−1. */
export const addRanges = (a: CostRange, b: CostRange): CostRange => ({ min: addUnits(a.min, b.min), max: addUnits(a.max, b.max) });
/**
 * Returns the product of two ranges. Minimum and maximum are multiplied separately and limited to 2^64−1. This is valid because sizes and
 * costs are never negative.
 */
export const multiplyRanges = (a: CostRange, b: CostRange): CostRange => ({
  min: multiplyUnits(a.min, b.min),
  max: multiplyUnits(a.max, b.max),
});
/** Returns a range multiplied by `factor`. Minimum and maximum are rounded up and limited to 2^64−1. */
export const scaleRange = (r: CostRange, factor: number): CostRange => ({ min: scaleUnits(r.min, factor), max: scaleUnits(r.max, factor) });
/**
 * Returns a range multiplied by `factor`, which is a decimal fraction with at most two digits. Minimum and maximum are computed exactly and
 * rounded up. An unbounded maximum stays unbounded. Source: cel-go common/cost/helper.go `scale` (v0.33.2).
 */
export function scaleRangeExactly({ min, max }: CostRange, factor: number): CostRange {
  const hundredths = BigInt(Math.round(factor * 100));
  const scaled = (units: bigint): bigint => {
    if (units === MAX_UNITS) return MAX_UNITS;
    const product = (units * hundredths + 99n) / 100n;
    return product > MAX_UNITS ? MAX_UNITS : product;
  };
  return { min: scaled(min), max: scaled(max) };
}
/** Returns the smallest range that contains both ranges. */
export const unionRanges = (a: CostRange, b: CostRange): CostRange => ({
  min: a.min < b.min ? a.min : b.min,
  max: a.max > b.max ? a.max : b.max,
});
/** Returns the smallest size range that contains both sizes. The sizes of their keys and elements are united alike. */
export function unionSizes(a: SizeRange, b: SizeRange): SizeRange {
  const { min, max } = unionRanges(a, b);
  return { min, max, key: unionOfKnown(a.key, b.key), element: unionOfKnown(a.element, b.element) };
}
/** Returns the union of two sizes of which either may be absent. An absent size does not count. */
export function unionOfKnown(a: SizeRange | undefined, b: SizeRange | undefined): SizeRange | undefined {
  return a === undefined ? b : b === undefined ? a : unionSizes(a, b);
}
/** Range of an unknown size, from 0 to the largest size. */
export const UNKNOWN_SIZE: SizeRange = { min: 0n, max: MAX_UNITS };
