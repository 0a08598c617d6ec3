import { Cancelled } from '../cancellation.ts';
import type { CancellationToken } from '../cancellation.ts';
import { ColumnRoom, LONG_LIST, noteScalarList } from './columns.ts';
import { keyAt, unescaped } from './decode-text.ts';
import { ListScanner } from './scan-list.ts';
import { floatValue, newJsonObject } from './value.ts';
import type { JsonObject, JsonValue } from './value.ts';

/**
 * Maximum nesting depth that the reader reads by recursion. It returns undefined for deeper nesting; the exact reader then reads the
 * document.
 */
const MAX_DEPTH = 200;
/** Number of elements between two checks of the cancellation token. */
const POLL_INTERVAL = 4096;
/** Maximum number of digits of an integer that a JavaScript number always represents exactly. */
const EXACT_INTEGER = 15;
/**
 * Memory for columns, which the constructor of `ListScanner` requires. It is never used, because this reader lets the scanner add all
 * elements to lists.
 */
const NO_ROOM = new ColumnRoom();

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Reads an ordinary ASCII document, in which every character is one byte. An ordinary document is valid and not deeply nested. It has no
 * duplicate keys, exponents or escaped lone surrogates, and its integers have at most 15 digits. For any other document, the function
 * returns undefined, and the exact reader must read the document from its beginning. For an ordinary document, both readers return the same
 * value. Throws `Cancelled` if the token is cancelled.
 */
export function readOrdinary(bytes: Uint8Array, text: string, token: CancellationToken | undefined): JsonValue | undefined {
  if (bytes.length !== text.length) return undefined;
  return new OrdinaryReader(bytes, text, token).document();
}

/**
 * Reader of ordinary ASCII documents: valid, without duplicate keys, exponents or long integers (see {@link readOrdinary}). Every method
 * returns undefined if the document is not ordinary. Otherwise the method moves `at` past the part that was read.
 */
export class OrdinaryReader {
  // Scanning bytes is faster than scanning the characters of a long text. Cutting strings out of the text is faster than out of the bytes.
  readonly #bytes: Uint8Array;
  readonly #text: string;
  readonly #token: CancellationToken | undefined;
  at = 0;
  #polled = POLL_INTERVAL;
  #ownScanner: ListScanner | undefined;

  constructor(bytes: Uint8Array, text: string, token: CancellationToken | undefined) {
    this.#bytes = bytes;
    this.#text = text;
    this.#token = token;
  }

  document(): JsonValue | undefined {
    const value = this.#value(this.#skipSpace(), 0);
    this.#skipSpace();
    return this.at === this.#text.length ? value : undefined;
  }

  /** Reads the value that begins at the offset `at`. */
  valueAt(at: number): JsonValue | undefined {
    this.at = at;
    return this.#value(this.#bytes[at] as number, 0);
  }

  #poll(): void {
    this.#polled = POLL_INTERVAL;
    if (this.#token?.cancelled === true) throw new Cancelled();
  }

  /** Moves past white space. Returns the next byte, or undefined at the end of the document. */
  #skipSpace(): number {
    const bytes = this.#bytes;
    let { at } = this;
    let code = bytes[at] as number;
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = bytes[++at] as number;
    this.at = at;
    return code;
  }

  #value(code: number, depth: number): JsonValue | undefined {
    if (code === QUOTE) return this.#string();
    if (code === OPEN_OBJECT) return depth < MAX_DEPTH ? this.#object(depth + 1) : undefined;
    if (code === OPEN_LIST) return depth < MAX_DEPTH ? this.#list(depth + 1) : undefined;
    if (code === MINUS || (code >= ZERO && code < COLON)) return this.#number(code);
    return this.#word(code);
  }

  #object(depth: number): JsonObject | undefined {
    const text = this.#text;
    const object = newJsonObject();
    this.at += 1;
    let code = this.#skipSpace();
    if (code === CLOSE_OBJECT) {
      this.at += 1;
      return object;
    }
    for (;;) {
      if (code !== QUOTE) return undefined;
      const start = this.at + 1;
      const end = this.#endOfString(start);
      const key = end < 0 ? this.#escapedString(start) : keyAt(text, start, end);
      if (end >= 0) this.at = end + 1;
      if (key === undefined || object[key] !== undefined || this.#skipSpace() !== COLON) return undefined;
      this.at += 1;
      const value = this.#value(this.#skipSpace(), depth);
      if (value === undefined) return undefined;
      object[key] = value;
      code = this.#skipSpace();
      this.at += 1;
      if (code === CLOSE_OBJECT) return object;
      if (code !== COMMA) return undefined;
      code = this.#skipSpace();
    }
  }

  #list(depth: number): JsonValue[] | undefined {
    this.at += 1;
    let code = this.#skipSpace();
    if (code === CLOSE_LIST) {
      this.at += 1;
      return [];
    }
    const list = this.#scalars(code);
    // The scanner reads a list whose elements have the same kind to its end.
    if (list === undefined || (list.length > 0 && this.#scanner.isClosed)) return list;
    for (code = this.#skipSpace(); ; code = this.#skipSpace()) {
      if (--this.#polled <= 0) this.#poll();
      const value = this.#value(code, depth);
      if (value === undefined) return undefined;
      list.push(value);
      const next = this.#skipSpace();
      this.at += 1;
      if (next === CLOSE_LIST) return list;
      if (next !== COMMA) return undefined;
    }
  }

  /**
   * Reads elements from the beginning of a list while they are all short integers, or all strings. Returns undefined if a string among the
   * elements is not ordinary.
   */
  #scalars(code: number): JsonValue[] | undefined {
    const list: JsonValue[] = [];
    if (code === OPEN_OBJECT || code === OPEN_LIST) return list;
    const scanner = this.#scanner;
    const areStrings = code === QUOTE;
    if (!areStrings) scanner.scanIntegers(this.at, list);
    else if (!scanner.scanStrings(this.at, list)) return undefined;
    const { count, least, greatest, isClosed } = scanner;
    this.at = scanner.at;
    if (isClosed && count >= LONG_LIST && !(areStrings && scanner.isWide))
      noteScalarList(
        list,
        areStrings ? { kind: 'strings', minLength: least, maxLength: greatest } : { kind: 'ints', min: least, max: greatest },
      );
    return list;
  }

  get #scanner(): ListScanner {
    return (this.#ownScanner ??= new ListScanner({ bytes: this.#bytes, text: this.#text, token: this.#token }, NO_ROOM));
  }

  #string(): string | undefined {
    const start = this.at + 1;
    const end = this.#endOfString(start);
    if (end < 0) return this.#escapedString(start);
    this.at = end + 1;
    return this.#text.slice(start, end);
  }

  /** Reads a string with escapes. Returns undefined if the escapes are malformed. */
  #escapedString(start: number): string | undefined {
    const bytes = this.#bytes;
    let at = start;
    for (let code = bytes[at] as number; code !== QUOTE; code = bytes[at] as number) {
      if (!(code >= 0x20)) return undefined;
      at += code === BACKSLASH ? 2 : 1;
    }
    this.at = at + 1;
    return unescaped(this.#text.slice(start, at));
  }

  /** Returns the offset of the closing quote. Returns -1 if an escape, a control character or the end of the document comes first. */
  #endOfString(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    let code = bytes[at] as number;
    while (code !== QUOTE) {
      if (code === BACKSLASH || !(code >= 0x20)) return -1;
      code = bytes[++at] as number;
    }
    return at;
  }

  #number(first: number): JsonValue | undefined {
    const bytes = this.#bytes;
    const start = this.at;
    let at = first === MINUS ? start + 1 : start;
    const digits = at;
    let magnitude = 0;
    let code = bytes[at] as number;
    for (; code >= ZERO && code < COLON; code = bytes[++at] as number) magnitude = magnitude * 10 + code - ZERO;
    const length = at - digits;
    if (length === 0 || length > EXACT_INTEGER || (length > 1 && (bytes[digits] as number) === ZERO)) return undefined;
    if (code === POINT) return this.#fraction(start, at + 1);
    if (code === 0x65 || code === 0x45) return undefined;
    this.at = at;
    return first === MINUS ? 0 - magnitude : magnitude;
  }

  /** Reads a number with decimals and without an exponent. `decimals` is the offset of its first decimal. */
  #fraction(start: number, decimals: number): JsonValue | undefined {
    const bytes = this.#bytes;
    const text = this.#text;
    let at = decimals;
    let code = bytes[at] as number;
    while (code >= ZERO && code < COLON) code = bytes[++at] as number;
    if (at === decimals || code === 0x65 || code === 0x45) return undefined;
    this.at = at;
    return floatValue(Number(text.slice(start, at)));
  }

  #word(code: number): JsonValue | undefined {
    const { at } = this;
    const text = this.#text;
    if (code === 0x74 && text.startsWith('true', at)) {
      this.at = at + 4;
      return true;
    }
    if (code === 0x66 && text.startsWith('false', at)) {
      this.at = at + 5;
      return false;
    }
    if (code === 0x6e && text.startsWith('null', at)) {
      this.at = at + 4;
      return null;
    }
    return undefined;
  }
}
