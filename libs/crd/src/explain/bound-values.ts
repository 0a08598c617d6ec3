import type { SchemaBound } from './bounds.ts';

/** Largest number of elements or code points that a request of 3 MiB can hold. Source: rule-context.ts, `MAX_REQUEST_BYTES`. */
export const MAX_BOUND = 3_145_728n;

/** Values that people choose for bounds: powers of two, and the lengths of names of labels and of DNS names. In ascending order. */
export const COMMON_VALUES: readonly bigint[] = [
  ...Array.from({ length: 21 }, (_, exponent) => 2n ** BigInt(exponent)),
  63n, // the longest label, and the longest part of a DNS name
  253n, // the longest DNS name
].toSorted((a, b) => Number(a - b));

/**
 * Returns the largest value that may be suggested for a bound. A suggestion only lowers an existing bound, and is never larger than the size
 * that other keywords permit.
 */
export function largestValue({ value, permitted }: SchemaBound): bigint {
  const below = value === undefined ? MAX_BOUND : value - 1n;
  return permitted !== undefined && permitted < below ? permitted : below;
}

/**
 * Returns the values that people choose for a bound, in ascending order. They are at least `floor`, if the bound permits it. The value of
 * the opposite keyword, such as `minItems`, is one of them. The largest size under other keywords, such as `pattern`, is another. The list is
 * empty if no value is possible.
 */
export function commonValues(bound: SchemaBound, floor: bigint): readonly bigint[] {
  const most = largestValue(bound);
  const least = bound.least > floor ? bound.least : floor;
  const values = new Set(COMMON_VALUES.filter((value) => value >= least));
  if (bound.least >= floor) values.add(bound.least);
  // A bound of 0 forces a list or text to be empty, so it is never suggested.
  if (bound.permitted !== undefined && bound.permitted >= bound.least) values.add(bound.permitted);
  return [...values].filter((value) => value >= 1n && value <= most).toSorted((a, b) => Number(a - b));
}
