import type { JsonValue } from './value.ts';

/** A summary of a list whose elements are all integers in the safe range, or all strings. */
export type ScalarList =
  | { readonly kind: 'ints'; readonly min: number; readonly max: number }
  | {
      readonly kind: 'strings';
      /**
       * Lowest and highest length of an element. No element contains a character of two UTF-16 units, so UTF-16 units and code points are
       * the same number.
       */
      readonly minLength: number;
      readonly maxLength: number;
    };

/** Minimum number of elements for which a summary is stored. Shorter lists are simply traversed. */
export const LONG_LIST = 64;

const KNOWN = new WeakMap<readonly JsonValue[], { readonly length: number; readonly list: ScalarList }>();

/**
 * Stores the summary that the reader made of a list. The elements of such a list must not be changed in place, unless the list is
 * dismantled as a whole.
 */
export function noteScalarList(list: readonly JsonValue[], scalars: ScalarList): void {
  KNOWN.set(list, { length: list.length, list: scalars });
}

/**
 * Returns the summary of a list. Undefined for short lists, mixed lists, and lists that did not come from the reader
 * unchanged.
 */
export function scalarList(list: readonly JsonValue[]): ScalarList | undefined {
  if (list.length < LONG_LIST) return undefined;
  const known = KNOWN.get(list);
  return known?.length === list.length ? known.list : undefined;
}
