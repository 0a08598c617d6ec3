import type { SchemaBound, BoundChange } from './bounds.ts';

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
  // `permitted` may be 0, but a bound of 0 would allow only empty lists or texts. So the last line removes 0.
  if (bound.permitted !== undefined && bound.permitted >= bound.least) values.add(bound.permitted);
  return [...values].filter((value) => value >= 1n && value <= most).toSorted((a, b) => Number(a - b));
}

/** Values to be assigned to bounds, by the fields of the bounds. */
export type BoundValues = ReadonlyMap<string, BoundChange>;

/** Returns the values as changes, sorted by the fields, so that equal sets are equal texts. */
export const changesOf = (values: BoundValues): BoundChange[] =>
  [...values.values()].sort((a, b) => (a.bound.fields < b.bound.fields ? -1 : 1));

/** Returns the changes of some bounds. */
export const changesIn = (values: BoundValues, bounds: readonly SchemaBound[]): readonly BoundChange[] =>
  bounds.length > values.size ? [...values.values()] : bounds.flatMap(({ fields }) => values.get(fields) ?? []);

/** Returns the value of a bound, or 0 if it has none. */
export const valueIn = (values: BoundValues, { fields }: SchemaBound): bigint => values.get(fields)?.value ?? 0n;

/** Returns a copy of the values with one more value. */
export const withValue = (values: BoundValues, bound: SchemaBound, value: bigint): Map<string, BoundChange> =>
  new Map(values).set(bound.fields, { bound, value });

/** Returns the smallest value of some bounds. There must be at least one bound. */
export const lowestIn = (values: BoundValues, bounds: readonly SchemaBound[]): bigint =>
  bounds.map((bound) => valueIn(values, bound)).reduce((a, b) => (a < b ? a : b));

/** Returns the sum of the depths of the bounds in the schema. */
export const depthOf = (values: BoundValues): number => [...values.values()].reduce((sum, { bound }) => sum + bound.path.length, 0);
