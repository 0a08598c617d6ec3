import type { BoundChange, SchemaBound } from './bounds.ts';

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
