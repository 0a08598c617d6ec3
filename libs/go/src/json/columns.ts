import { copyUnescaped, decodeUtf8 } from './decode-text.ts';
import type { JsonValue } from './value.ts';

/**
 * Memory for columns, which are long lists of integers or strings that are read without creating a value for each element. An integer
 * element takes one integer, and a string takes two integers for its position. Consecutive documents share this memory, because allocating
 * it takes as much time as reading a document. The content is valid until the next document begins.
 */
export class ColumnRoom {
  integers: Int32Array = new Int32Array(0);
  /** Scratch memory that is used to remove the escapes from a list's strings. */
  #bytes = new Uint8Array(0);
  /** Number of integers that are already used by columns. */
  used = 0;

  /**
   * Prepares the memory for a document of `bytes` bytes. It reserves one integer for each byte, which suffices because an integer element
   * takes at least two bytes and a string takes at least three.
   */
  begin(bytes: number): void {
    this.used = 0;
    if (this.integers.length < bytes) this.integers = new Int32Array(bytes);
  }

  /** Reserves the next `count` integers for a column and returns them. */
  take(count: number): Int32Array {
    const taken = this.integers.subarray(this.used, this.used + count);
    this.used += count;
    return taken;
  }

  /** Returns the text of a part of a document without its escapes. All escapes must be valid. */
  textWithoutEscapes(part: Uint8Array): string {
    if (this.#bytes.length < part.length) this.#bytes = new Uint8Array(part.length);
    return decodeUtf8(this.#bytes.subarray(0, copyUnescaped(part, this.#bytes)));
  }
}

/**
 * List of 32-bit integers that the JSON reader stores as one array of machine integers. Such a list is a column: no separate value is
 * created for an element.
 */
export class IntColumn {
  readonly layout = 'ints';
  /** Integers, by index of the element. */
  readonly values: Int32Array;
  /** Lowest and highest element. */
  readonly bounds: ScalarList & { readonly kind: 'ints' };

  constructor(values: Int32Array, bounds: ScalarList & { readonly kind: 'ints' }) {
    this.values = values;
    this.bounds = bounds;
  }

  get length(): number {
    return this.values.length;
  }
}

/**
 * Compact storage (column) for a long list of strings. It stores the start and end of each string in one shared text. No string contains a
 * character of two UTF-16 units.
 */
export class TextColumn {
  /** Offsets in the text: index `2 * i` has the start of element `i`, and the next index has its end (exclusive). */
  readonly places: Int32Array;
  /** Lowest and highest length of a string, in characters. */
  readonly bounds: ScalarList & { readonly kind: 'strings' };
  /** Text as bytes, if the text is ASCII. Offsets in the bytes are then the same as in the text. Otherwise undefined. */
  readonly bytes: Uint8Array | undefined;
  #text: string | (() => string);

  /** @param text text of the strings, or a function that returns the text and is called at its first use */
  constructor(
    text: string | (() => string),
    places: Int32Array,
    bounds: ScalarList & { readonly kind: 'strings' },
    bytes: Uint8Array | undefined,
  ) {
    this.#text = text;
    this.places = places;
    this.bounds = bounds;
    this.bytes = bytes;
  }

  /**
   * Form in which the caller should read the elements: from `bytes` or from `text`. `bytes` requires ASCII text. It is faster, because
   * reading a byte takes less time than reading a character.
   */
  get layout(): 'bytes' | 'text' {
    return this.bytes === undefined ? 'text' : 'bytes';
  }

  /**
   * Text that contains the strings. If strings of the list have escapes, it is the text of the list with the escapes decoded. Otherwise it
   * is the text of the document.
   */
  get text(): string {
    if (typeof this.#text !== 'string') this.#text = this.#text();
    return this.#text;
  }

  get length(): number {
    return this.places.length / 2;
  }
}

/** Compact storage for a long list of integers or of strings in a JSON document. No separate value is created for each element. */
export type Column = IntColumn | TextColumn;

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
