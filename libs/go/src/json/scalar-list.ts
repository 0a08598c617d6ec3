import type { JsonValue } from './value.ts';

/** Summary of a list whose elements are all integers in the safe range, or all strings. */
export type ScalarList =
  | { readonly kind: 'ints'; readonly min: number; readonly max: number }
  | {
      readonly kind: 'strings';
      /**
       * Lowest length of an element; `maxLength` is the highest. No element contains a character of two UTF-16 units, so the length in
       * UTF-16 units equals the length in code points.
       */
      readonly minLength: number;
      readonly maxLength: number;
    };

/** Minimum number of elements for which a summary is stored. Shorter lists are simply traversed. */
export const LONG_LIST = 64;

const KNOWN = new WeakMap<readonly JsonValue[], { readonly length: number; readonly list: ScalarList }>();

/**
 * Stores the summary that the reader created for a list. After this call, elements of the list must not be changed in place, unless the
 * whole list is discarded.
 */
export function noteScalarList(list: readonly JsonValue[], scalars: ScalarList): void {
  KNOWN.set(list, { length: list.length, list: scalars });
}

/**
 * Returns the summary of a list. Returns undefined for short lists, mixed lists, and lists that were not created by the reader or were
 * changed.
 */
export function scalarList(list: readonly JsonValue[]): ScalarList | undefined {
  if (list.length < LONG_LIST) return undefined;
  const known = KNOWN.get(list);
  return known?.length === list.length ? known.list : undefined;
}
