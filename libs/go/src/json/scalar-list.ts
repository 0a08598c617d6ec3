import type { JsonValue } from './value.ts';

/** A summary of a list whose elements are all integers in the safe range, or all strings. */
export type ScalarList =
  | { readonly kind: 'ints'; readonly min: number; readonly max: number }
  | {
      readonly kind: 'strings';
      /** Least and greatest length of an element. None holds a character of two UTF-16 units: these and code points are the same. */
      readonly minLength: number;
      readonly maxLength: number;
    };

/** Elements from which a list is worth describing; shorter ones are walked. */
export const LONG_LIST = 64;

const KNOWN = new WeakMap<readonly JsonValue[], { readonly length: number; readonly list: ScalarList }>();

/** Notes what the reader saw of a list. Such a list is not to be changed in place but by taking it apart as a whole. */
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
