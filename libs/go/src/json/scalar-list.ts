import type { JsonValue } from './value.ts';

/**
 * Facts about a list that contains only safe integers or only strings: the lowest and highest integer, or the lowest and highest string
 * length.
 */
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

/**
 * Minimum number of elements for which the JSON reader stores the {@link ScalarList} of a list (its lowest and highest integer or length).
 * For a shorter list, code inspects each element instead.
 */
export const LONG_LIST = 64;

const KNOWN = new WeakMap<readonly JsonValue[], { readonly length: number; readonly list: ScalarList }>();

/**
 * Stores facts about a list that the JSON reader read: the lowest and highest integer, or string length ({@link ScalarList}). After this
 * call, elements of the list must not be changed in place, unless the whole list is discarded.
 */
export function noteScalarList(list: readonly JsonValue[], scalars: ScalarList): void {
  KNOWN.set(list, { length: list.length, list: scalars });
}

/**
 * Returns facts about a list ({@link ScalarList}), such as its lowest and highest integer, that {@link noteScalarList} stored. Returns
 * undefined if none were stored, or if the length of the list has changed since then. Also returns undefined for every list of fewer than
 * {@link LONG_LIST} elements.
 */
export function scalarList(list: readonly JsonValue[]): ScalarList | undefined {
  if (list.length < LONG_LIST) return undefined;
  const known = KNOWN.get(list);
  return known?.length === list.length ? known.list : undefined;
}
