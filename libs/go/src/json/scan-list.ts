import { Cancelled } from '../cancellation.ts';
import type { CancellationToken } from '../cancellation.ts';
import type { ColumnRoom } from './columns.ts';
import { escapedUnit, escapeLength, unescaped } from './decode-text.ts';
import type { JsonValue } from './value.ts';

/** Number of elements between two checks of the cancellation token. */
const POLL_INTERVAL = 4096;
/** Maximum number of digits of an integer that always fits 32 bits. */
const SHORT_INTEGER = 9;
/**
 * Number of characters that the scanner checks one by one for the end of a string. For a longer string, it calls a search function of the
 * runtime.
 */
const LONG_STRING = 24;
/** Minimum size of a document, in bytes, for which the scanner first searches the whole document for escapes and control characters. */
const LARGE_DOCUMENT = 64 * 1024;
/** Range that contains all integers of {@link SHORT_INTEGER} digits. */
const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 } as const;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/** JSON document in well-formed UTF-8: its bytes, its text, and the token that cancels its scan. */
export interface ListDocument {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly token: CancellationToken | undefined;
}

/**
 * Scanner for JSON lists whose elements are all integers or all strings. It either adds the elements to an array, or stores them in a
 * {@link ColumnRoom}: integers by value, strings only by position. Throws `Cancelled` if the cancellation token is cancelled.
 */
export class ListScanner {
  /**
   * Offset after the scanned part. If `isClosed` is true, this part ends with the closing bracket. Otherwise, the first element of another
   * kind begins at the offset.
   */
  at = 0;
  isClosed = false;
  /** Number of scanned elements. */
  count = 0;
  /**
   * Difference between the number of bytes before `at` and the number of UTF-16 code units that they produce. It must be set before strings
   * are scanned.
   */
  shift = 0;
  /**
   * True if a scanned string has escapes or characters of two UTF-16 units. The length of such a string in code points differs from the
   * distance between its quotes.
   */
  isWide = false;
  /**
   * Bytes of the list from its first element, if strings of a column have escapes. The positions of the strings apply to these bytes after
   * the escapes are decoded. Undefined if no string has escapes.
   */
  escaped: Uint8Array | undefined;
  /** Lowest integer, or lowest length of a string. `greatest` is the highest integer or length. */
  least = 0;
  greatest = 0;
  readonly #document: ListDocument;
  readonly #room: ColumnRoom;
  #plain: boolean | undefined;

  constructor(document: ListDocument, room: ColumnRoom) {
    this.#document = document;
    this.#room = room;
  }

  /**
   * Sets the fields of this scanner (`at`, `count`, `isClosed`, …) to the result for an empty list. `bracket` is the offset of the closing
   * bracket.
   */
  scanNothing(bracket: number): void {
    this.#end(bracket + 1, 0, 0, 0, 'closed');
  }

  /**
   * Scans integers of at most nine digits, starting at the first element of a list.
   *
   * @param list list to which the elements are added; if undefined, they are stored in the {@link ColumnRoom}
   */
  scanIntegers(first: number, list: JsonValue[] | undefined): void {
    const { bytes } = this.#document;
    const { integers, used } = this.#room;
    let least: number = INT32.max;
    let greatest: number = INT32.min;
    let count = 0;
    let at = first;
    let code: number;
    for (;;) {
      code = bytes[at] as number;
      if (code <= 0x20) {
        at = this.#skipSpace(at);
        code = bytes[at] as number;
      }
      const start = at;
      const sign = code === MINUS ? -1 : 1;
      if (sign < 0) code = bytes[++at] as number;
      const digits = at;
      let value = 0;
      for (; code >= ZERO && code < COLON; code = bytes[++at] as number) value = (Math.imul(value, 10) + code - ZERO) | 0;
      const length = at - digits;
      if (code <= 0x20) {
        at = this.#skipSpace(at);
        code = bytes[at] as number;
      }
      const isShort = length === 1 || (length > 1 && length <= SHORT_INTEGER && bytes[digits] !== ZERO);
      if (!isShort || (code !== COMMA && code !== CLOSE_LIST)) {
        if (list !== undefined) list.length = count;
        this.#end(start, count, least, greatest, 'open');
        return;
      }
      value = Math.imul(value, sign);
      at += 1;
      if (value < least) least = value;
      if (value > greatest) greatest = value;
      if (list !== undefined) list[count] = value;
      else integers[used + count] = value;
      count += 1;
      if (code === CLOSE_LIST) break;
      if (list === undefined) {
        // For single digits without white space between them, this shorter loop suffices.
        const stretch = count + POLL_INTERVAL - (count % POLL_INTERVAL);
        for (let digit = digitAt(bytes, at); count < stretch && digit >= 0 && bytes[at + 1] === COMMA; digit = digitAt(bytes, at)) {
          if (digit < least) least = digit;
          if (digit > greatest) greatest = digit;
          integers[used + count] = digit;
          count += 1;
          at += 2;
        }
      }
      if (count % POLL_INTERVAL === 0) this.#pause(list, count, first, at);
    }
    if (list !== undefined) list.length = count;
    this.#end(at, count, least, greatest, 'closed');
  }

  /**
   * Scans strings, starting at the opening quote of a list's first element. Returns false if a string has a control character or an invalid
   * escape, or if a quote, comma or bracket is missing. Also returns false for an escape that produces a lone surrogate. If `list` is
   * undefined, returns false for every character of two UTF-16 units too.
   *
   * @param list list to which the elements are added; if undefined, their positions are stored in the {@link ColumnRoom}
   */
  scanStrings(first: number, list: JsonValue[] | undefined): boolean {
    const { bytes, text } = this.#document;
    const { integers: places, used } = this.#room;
    // For a column, `escapes` counts the bytes by which the escapes are longer than their UTF-16 units.
    let { shift } = this;
    const base = first - shift;
    let escapes = 0;
    let isWide = false;
    let least = Number.MAX_SAFE_INTEGER;
    let greatest = 0;
    let count = 0;
    let at = first;
    // After this number of characters, `indexOf` searches the end of the string. The number is 0 after a long string, because the next
    // string is probably long, too.
    let looked = LONG_STRING;
    for (;;) {
      const start = at + 1;
      const from = start - shift;
      let isEscaped = false;
      at = start;
      let code = bytes[at] as number;
      while (code !== QUOTE) {
        if (code === BACKSLASH || !(code >= 0x20 && code < 0x80)) {
          if (!(code >= 0x20)) return false;
          if (code === BACKSLASH) {
            if (list !== undefined) {
              isEscaped = true;
              at += 1;
            } else {
              if (escapedUnit(bytes, at) < 0) return false;
              const more = escapeLength(bytes, at) - 1;
              at += more;
              shift += more;
              escapes += more;
            }
          } else if (code >= 0xc0) {
            // In UTF-16, two or three bytes become one unit, and four bytes become two units.
            shift += code >= 0xe0 ? 2 : 1;
            if (code >= 0xf0) {
              if (list === undefined) return false;
              isWide = true;
            }
          }
        } else if (at - start >= looked && this.isPlain) {
          at = text.indexOf('"', at);
          if (at < 0) return false;
          break;
        }
        code = bytes[++at] as number;
      }
      const to = at - shift;
      const length = to - from;
      looked = length > LONG_STRING ? 0 : LONG_STRING;
      if (length < least) least = length;
      if (length > greatest) greatest = length;
      if (list === undefined) {
        places[used + 2 * count] = from;
        places[used + 2 * count + 1] = to;
      } else if (isEscaped) {
        const value = unescaped(text.slice(from, to));
        if (value === undefined) return false;
        isWide = true;
        list[count] = value;
      } else list[count] = text.slice(from, to);
      count += 1;
      code = bytes[++at] as number;
      if (code !== COMMA) {
        at = this.#skipSpace(at);
        code = bytes[at] as number;
      }
      at += 1;
      if (code === CLOSE_LIST) break;
      if (code !== COMMA) return false;
      if (bytes[at] !== QUOTE) {
        at = this.#skipSpace(at);
        if (bytes[at] !== QUOTE) {
          if (list !== undefined) list.length = count;
          this.shift = shift - escapes;
          this.isWide = isWide;
          this.#end(at, count, least, greatest, 'open');
          return true;
        }
      }
      if (count % POLL_INTERVAL === 0) this.#pause(list, count, first, at);
    }
    if (list !== undefined) list.length = count;
    this.shift = shift - escapes;
    this.isWide = isWide;
    this.#end(at, count, least, greatest, 'closed');
    if (escapes > 0) {
      // The stored positions are relative to the document. `escaped` contains only the list, so the positions become relative to the list.
      for (let i = used; i < used + 2 * count; i++) places[i] = (places[i] as number) - base;
      this.escaped = bytes.subarray(first, at);
    }
    return true;
  }

  /**
   * True if no string can contain an escape or a control character, so that the next quote ends a string. False for small documents, which
   * are not searched. The value is computed once, when the first long string is scanned.
   */
  get isPlain(): boolean {
    const { bytes, text } = this.#document;
    return (this.#plain ??= bytes.length > LARGE_DOCUMENT && bytes.length === text.length && !text.includes('\\') && !holdsControls(bytes));
  }

  #end(at: number, count: number, least: number, greatest: number, state: 'closed' | 'open'): void {
    this.at = at;
    this.count = count;
    this.least = least;
    this.greatest = greatest;
    this.isClosed = state === 'closed';
    this.escaped = undefined;
  }

  /**
   * Checks the cancellation token between the elements of a long list. On its first call, it also reserves memory for the elements up to
   * the next bracket. It estimates their number from the average size of the previous elements. Growing the list step by step would take
   * twice the time.
   */
  #pause(list: JsonValue[] | undefined, count: number, first: number, at: number): void {
    const { bytes, token } = this.#document;
    if (token?.cancelled === true) throw new Cancelled();
    if (list === undefined || count > POLL_INTERVAL) return;
    const ahead = bytes.subarray(at, bytes.indexOf(CLOSE_LIST, at));
    const nested = ahead.indexOf(OPEN_LIST);
    const length = nested < 0 ? ahead.length : nested;
    const seen = list.slice(0, count);
    list.length = count + Math.ceil((length * count) / (at - first)) + 1;
    // `fill` leaves no holes in the list. Otherwise, the JavaScript engine would test for a hole at each access to an element.
    list.fill(seen[0] as JsonValue);
    for (let i = 0; i < count; i++) list[i] = seen[i] as JsonValue;
  }

  #skipSpace(from: number): number {
    const { bytes } = this.#document;
    let at = from;
    let code = bytes[at];
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = bytes[++at];
    return at;
  }
}

/** Returns the value of the digit at an offset, or a negative number if the byte is not a digit. */
function digitAt(bytes: Uint8Array, at: number): number {
  const code = bytes[at] as number;
  return code < COLON ? code - ZERO : -1;
}

/** Returns true if an ASCII text has a byte below 0x20, the space. It tests four bytes at a time. */
function holdsControls(bytes: Uint8Array): boolean {
  const head = Math.min((4 - (bytes.byteOffset & 3)) & 3, bytes.length);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + head, (bytes.length - head) >> 2);
  // From the space on, each ASCII character has the bit 0x20 or 0x40. The shift moves the bit 0x20 to the place of 0x40, so that one bit
  // shows both.
  let common = -1;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as number;
    common &= word | (word << 1);
  }
  for (let i = 0; i < head; i++) common &= spread(bytes[i] as number);
  for (let i = head + words.length * 4; i < bytes.length; i++) common &= spread(bytes[i] as number);
  return (common & HIGH_BITS) !== HIGH_BITS;
}

/** Mask with the bit 0x40 of each byte in a 32-bit word. The scan for control characters tests this bit in four bytes at once. */
const HIGH_BITS = 0x40404040;

/**
 * Returns a 32-bit word with four copies of `byte`. In each copy, the bit 0x40 is set if `byte` has the bit 0x20 or 0x40. ASCII bytes have
 * one of these bits exactly if they are not control characters below 0x20.
 */
const spread = (byte: number): number => Math.imul(byte | (byte << 1), 0x01010101);
