import { decodeUtf8 } from './decode-utf8.ts';
import type { ScalarList } from './scalar-list.ts';
import { copyUnescaped } from './unescaped.ts';

/**
 * Memory for the elements of long lists: one integer per element, or two for the position of a string. Consecutive
 * documents share it, because new pages from the system cost as much time as the reading. Its content is valid until
 * the next document begins.
 */
export class ColumnRoom {
  integers: Int32Array = new Int32Array(0);
  /** Scratch space in which the escapes of a list are removed. */
  #bytes = new Uint8Array(0);
  /** Integers that belong to columns already. */
  used = 0;

  /** Begins a document of so many bytes. No list has more integers here than bytes there: an element has two bytes at least, a string three. */
  begin(bytes: number): void {
    this.used = 0;
    if (this.integers.length < bytes) this.integers = new Int32Array(bytes);
  }

  /** Keeps the next `count` integers as those of a column. */
  take(count: number): Int32Array {
    const taken = this.integers.subarray(this.used, this.used + count);
    this.used += count;
    return taken;
  }

  /** The text of a part of a document, all of whose escapes are right, without them. */
  textWithoutEscapes(part: Uint8Array): string {
    if (this.#bytes.length < part.length) this.#bytes = new Uint8Array(part.length);
    return decodeUtf8(this.#bytes.subarray(0, copyUnescaped(part, this.#bytes)));
  }
}

/** A list of integers, all of them within 32 bits, as one array of machine integers. */
export class IntColumn {
  readonly layout = 'ints';
  /** By index. */
  readonly values: Int32Array;
  /** Least and greatest element. */
  readonly bounds: ScalarList & { readonly kind: 'ints' };

  constructor(values: Int32Array, bounds: ScalarList & { readonly kind: 'ints' }) {
    this.values = values;
    this.bounds = bounds;
  }

  get length(): number {
    return this.values.length;
  }
}

/** A list of strings inside a text, without characters of two UTF-16 units. It has the start and end of each string. */
export class TextColumn {
  /** At twice the index of an element the offset of its first character, behind that the offset behind its last one. */
  readonly places: Int32Array;
  /** Least and greatest length. */
  readonly bounds: ScalarList & { readonly kind: 'strings' };
  /** The text as bytes, where each character of it is one: at the same offsets. */
  readonly bytes: Uint8Array | undefined;
  #text: string | (() => string);

  /** @param text a function is called at the first use of the text */
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

  /** The faster access to elements: reading a byte takes less time than reading a character. */
  get layout(): 'bytes' | 'text' {
    return this.bytes === undefined ? 'text' : 'bytes';
  }

  /** Text of the document. If strings of the list have escapes, it is the text of the list without them. */
  get text(): string {
    if (typeof this.#text !== 'string') this.#text = this.#text();
    return this.#text;
  }

  get length(): number {
    return this.places.length / 2;
  }
}

/** A long list of scalars of one kind, read in place: no element is a value of its own. */
export type Column = IntColumn | TextColumn;
