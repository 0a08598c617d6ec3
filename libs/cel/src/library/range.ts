/** Cost units and sizes as uint64, saturating at 2^64−1 as upstream does. Source: cel-go checker/cost.go (v0.29.2). */
export const MAX_UNITS = 0xffff_ffff_ffff_ffffn;

/** A range of cost units. Kubernetes reads only `max`. */
export interface CostRange {
  readonly min: bigint;
  readonly max: bigint;
}

/** A range of sizes: code points of a string, bytes, elements of a list, entries of a map. */
export interface SizeRange {
  readonly min: bigint;
  readonly max: bigint;
}

/** Returns the sum; it saturates. */
export function addUnits(a: bigint, b: bigint): bigint {
  const sum = a + b;
  return sum > MAX_UNITS ? MAX_UNITS : sum;
}

/** Saturating multiplication. */
function multiplyUnits(a: bigint, b: bigint): bigint {
  const product = a * b;
  return product > MAX_UNITS ? MAX_UNITS : product;
}

/** ceil(units · factor) in float64 as Go computes it, saturating. */
function scaleUnits(units: bigint, factor: number): bigint {
  const scaled = Math.ceil(Number(units) * factor);
  return scaled >= 18446744073709551615 ? MAX_UNITS : BigInt(scaled);
}

/** Returns the range from `min` to `max`, both included. */
export const range = (min: bigint, max: bigint): CostRange => ({ min, max });
/** Returns the range of one value. */
export const exactly = (units: bigint): CostRange => ({ min: units, max: units });
/** Returns both ends added, saturating. */
export const addRanges = (a: CostRange, b: CostRange): CostRange => ({ min: addUnits(a.min, b.min), max: addUnits(a.max, b.max) });
/** Returns both ends multiplied, saturating; sizes and costs are not negative. */
export const multiplyRanges = (a: CostRange, b: CostRange): CostRange => ({
  min: multiplyUnits(a.min, b.min),
  max: multiplyUnits(a.max, b.max),
});
/** Returns both ends times `factor`, each rounded up, saturating. */
export const scaleRange = (r: CostRange, factor: number): CostRange => ({ min: scaleUnits(r.min, factor), max: scaleUnits(r.max, factor) });
/** Returns the least range that holds both. */
export const unionRanges = (a: CostRange, b: CostRange): CostRange => ({
  min: a.min < b.min ? a.min : b.min,
  max: a.max > b.max ? a.max : b.max,
});
/** A size about which nothing is known. */
export const UNKNOWN_SIZE: SizeRange = { min: 0n, max: MAX_UNITS };
