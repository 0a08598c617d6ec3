/**
 * Largest number of cost units and largest size. Both are uint64 and saturate at 2^64−1 as upstream does. Source: cel-go checker/cost.go
 * (v0.29.2).
 */
export const MAX_UNITS = 0xffff_ffff_ffff_ffffn;

/** Range of cost units. Kubernetes reads only `max`. */
export interface CostRange {
  readonly min: bigint;
  readonly max: bigint;
}

/** Range of sizes: code points of a string, bytes of a bytes value, elements of a list, or entries of a map. */
export interface SizeRange {
  readonly min: bigint;
  readonly max: bigint;
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
/** Returns the range whose ends are the sums of the ends of both ranges, limited to 2^64−1. */
export const addRanges = (a: CostRange, b: CostRange): CostRange => ({ min: addUnits(a.min, b.min), max: addUnits(a.max, b.max) });
/**
 * Returns the range whose ends are the products of the ends of both ranges, limited to 2^64−1. This is valid because sizes and costs are
 * never negative.
 */
export const multiplyRanges = (a: CostRange, b: CostRange): CostRange => ({
  min: multiplyUnits(a.min, b.min),
  max: multiplyUnits(a.max, b.max),
});
/** Returns the range whose ends are the ends of `r` times `factor`. Each end is rounded up and limited to 2^64−1. */
export const scaleRange = (r: CostRange, factor: number): CostRange => ({ min: scaleUnits(r.min, factor), max: scaleUnits(r.max, factor) });
/** Returns the smallest range that contains both ranges. */
export const unionRanges = (a: CostRange, b: CostRange): CostRange => ({
  min: a.min < b.min ? a.min : b.min,
  max: a.max > b.max ? a.max : b.max,
});
/** Range of a size about which nothing is known. */
export const UNKNOWN_SIZE: SizeRange = { min: 0n, max: MAX_UNITS };
