import { Cancelled } from '../cancellation.ts';
import type { CancellationToken } from '../cancellation.ts';
import { ColumnRoom, IntColumn, TextColumn } from './columns.ts';
import type { Column } from './columns.ts';
import { decodeWellFormed, keyAt, unescaped } from './decode-text.ts';
import { OrdinaryReader } from './read-ordinary.ts';
import { ListScanner } from './scan-list.ts';
import { floatValue, newJsonObject } from './value.ts';
import type { JsonObject, JsonValue } from './value.ts';

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
const SPACE = 0x20;

/** Maximum nesting depth that the cursor reads by recursion. The exact reader (`readJson`) reads documents with deeper nesting. */
const MAX_DEPTH = 200;
/** Maximum number of digits of an integer that a JavaScript number always represents exactly. */
const EXACT_INTEGER = 15;
/** Number of elements between two checks of the cancellation token. */
const POLL_INTERVAL = 1024;

/**
 * Position in the bytes of a JSON document, from which a caller reads values one by one. The caller knows from a schema the type of the next
 * value. Every reading method returns undefined if the JSON is not ordinary. Examples are syntax errors, duplicate keys, integers of more
 * than 15 digits, exponents, and malformed escapes. In that case, the exact reader (`readJson`) must read the document from its beginning.
 * For ordinary JSON, the method returns the same value as the exact reader and moves `at` past it.
 */
export class ByteCursor {
  bytes: Uint8Array = new Uint8Array();
  /** Offset of the next byte to read. */
  at = 0;
  /**
   * Difference between the number of bytes before `at` and the number of UTF-16 code units that they produce. An offset in the text equals
   * the offset in the bytes minus this difference.
   */
  shift = 0;
  #text = '';
  #token: CancellationToken | undefined;
  #ordinary: OrdinaryReader | undefined;
  #columnScanner: ListScanner | undefined;
  #listScanner: ListScanner | undefined;

  /** Starts to read a document. Returns false if the bytes are not well-formed UTF-8. */
  begin(bytes: Uint8Array, token: CancellationToken | undefined): boolean {
    const text = decodeWellFormed(bytes);
    if (text === undefined) return false;
    this.bytes = bytes;
    this.at = 0;
    this.#text = text;
    this.shift = 0;
    this.#token = token;
    this.#ordinary = undefined;
    this.#columnScanner = undefined;
    this.#listScanner = undefined;
    return true;
  }

  /** Drops all references to the document. */
  end(): void {
    this.bytes = NOTHING;
    this.#text = '';
    this.#ordinary = undefined;
    this.#columnScanner = undefined;
    this.#listScanner = undefined;
  }

  /** True if only white space follows the cursor. */
  get isAtEnd(): boolean {
    return this.skip(this.at) === this.bytes.length;
  }

  /** Returns the offset of the first byte at or after `at` that is not white space. */
  skip(at: number): number {
    const { bytes } = this;
    let code = bytes[at];
    while (code === SPACE || code === 0x0a || code === 0x0d || code === 0x09) code = bytes[++at];
    return at;
  }

  /** True if no text of the document can have a character of two UTF-16 units, neither literally nor as an escape. */
  get isPlain(): boolean {
    const text = this.#text;
    return !text.includes('\\u') && (this.#isAscii || !HIGH_SURROGATE.test(text));
  }

  /** Moves the cursor back to an earlier position. The arguments are the values that `at` and `shift` had there. */
  rewind(at: number, shift: number): void {
    this.at = at;
    this.shift = shift;
  }

  /** Reads a string that begins at the cursor with its opening quote. */
  string(): string | undefined {
    const { bytes } = this;
    if (bytes[this.at] !== QUOTE) return undefined;
    const start = this.at + 1;
    let at = start;
    let code = bytes[at] as number;
    while (code !== QUOTE) {
      if (code === BACKSLASH || code >= 0x80) return this.#unusualString(start, at);
      if (!(code >= SPACE)) return undefined;
      code = bytes[++at] as number;
    }
    this.at = at + 1;
    return this.#text.slice(start - this.shift, at - this.shift);
  }

  /** Reads a string that probably occurred before, such as a key. The text is taken from a cache if possible. */
  key(): string | undefined {
    const { bytes } = this;
    if (bytes[this.at] !== QUOTE) return undefined;
    const start = this.at + 1;
    let at = start;
    let code = bytes[at] as number;
    while (code !== QUOTE) {
      if (code === BACKSLASH || code >= 0x80) return this.#unusualString(start, at);
      if (!(code >= SPACE)) return undefined;
      code = bytes[++at] as number;
    }
    this.at = at + 1;
    return keyAt(this.#text, start - this.shift, at - this.shift);
  }

  /** Reads an int64 of at most 15 digits. */
  integer(): number | undefined {
    const { bytes } = this;
    let { at } = this;
    const isNegative = bytes[at] === MINUS;
    if (isNegative) at += 1;
    const digits = at;
    let magnitude = 0;
    let code = bytes[at] as number;
    for (; code >= ZERO && code < COLON; code = bytes[++at] as number) magnitude = magnitude * 10 + code - ZERO;
    const length = at - digits;
    if (length === 0 || length > EXACT_INTEGER || (length > 1 && bytes[digits] === ZERO)) return undefined;
    if (code === POINT || code === 0x65 || code === 0x45) return undefined;
    this.at = at;
    return isNegative ? 0 - magnitude : magnitude;
  }

  /** Reads an int64 of at most 15 digits, or a float64 without an exponent. */
  number(): JsonValue | undefined {
    const start = this.at;
    const integer = this.integer();
    if (integer !== undefined) return integer;
    const { bytes } = this;
    let at = bytes[start] === MINUS ? start + 1 : start;
    const digits = at;
    while (isDigit(bytes[at])) at += 1;
    const length = at - digits;
    if (length === 0 || length > EXACT_INTEGER || (length > 1 && bytes[digits] === ZERO) || bytes[at] !== POINT) return undefined;
    const decimals = ++at;
    while (isDigit(bytes[at])) at += 1;
    if (at === decimals || bytes[at] === 0x65 || bytes[at] === 0x45) return undefined;
    this.at = at;
    return floatValue(Number(this.#text.slice(start - this.shift, at - this.shift)));
  }

  boolean(): boolean | undefined {
    const { bytes, at } = this;
    if (bytes[at] === 0x74 && bytes[at + 1] === 0x72 && bytes[at + 2] === 0x75 && bytes[at + 3] === 0x65) {
      this.at = at + 4;
      return true;
    }
    if (bytes[at] !== 0x66 || bytes[at + 1] !== 0x61 || bytes[at + 2] !== 0x6c || bytes[at + 3] !== 0x73) return undefined;
    if (bytes[at + 4] !== 0x65) return undefined;
    this.at = at + 5;
    return false;
  }

  null(): null | undefined {
    const { bytes, at } = this;
    if (bytes[at] !== 0x6e || bytes[at + 1] !== 0x75 || bytes[at + 2] !== 0x6c || bytes[at + 3] !== 0x6c) return undefined;
    this.at = at + 4;
    return null;
  }

  /** Reads a value of any type. Throws `Cancelled` if the token is cancelled. */
  value(depth = 0): JsonValue | undefined {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- bytes are open; the number reader refuses what is missing
    switch (this.bytes[this.at]) {
      case QUOTE:
        return this.string();
      case OPEN_OBJECT:
      case OPEN_LIST:
        return this.#compound(depth);
      case 0x74:
      case 0x66:
        return this.boolean();
      case 0x6e:
        return this.null();
      default:
        return this.number();
    }
  }

  /**
   * Reads the field at the cursor and adds it to `object`. Returns false if `declared` or `object` already contains the key, or if the
   * field is not ordinary JSON, which only the exact reader can read.
   */
  addUndeclared(object: JsonObject, declared: ReadonlySet<string>): boolean {
    const key = this.key();
    if (key === undefined || declared.has(key) || object[key] !== undefined || !this.#colon()) return false;
    const value = this.value(1);
    if (value === undefined) return false;
    object[key] = value;
    return true;
  }

  /**
   * Reads a list of strings, or of integers with at most nine digits, as a column. A column stores numbers or positions instead of separate
   * values. The cursor must be at the opening bracket. Returns undefined if the list has any other element, or a string with a character of
   * two UTF-16 units. The column is valid until `room` is used for a new document.
   */
  column(elements: Column['bounds']['kind'], room: ColumnRoom): Column | undefined {
    if (this.bytes[this.at] !== OPEN_LIST) return undefined;
    const scanner = (this.#columnScanner ??= new ListScanner({ bytes: this.bytes, text: this.#text, token: this.#token }, room));
    scanner.shift = this.shift;
    const first = this.skip(this.at + 1);
    if (this.bytes[first] === CLOSE_LIST) scanner.scanNothing(first);
    else if (elements === 'ints') scanner.scanIntegers(first, undefined);
    else if (this.bytes[first] !== QUOTE || !scanner.scanStrings(first, undefined)) return undefined;
    const { count, least, greatest, escaped } = scanner;
    if (!scanner.isClosed) return undefined;
    this.at = scanner.at;
    this.shift = scanner.shift;
    if (elements === 'ints') return new IntColumn(room.take(count), { kind: 'ints', min: least, max: greatest });
    const bounds = { kind: 'strings', minLength: least, maxLength: greatest } as const;
    const places = room.take(2 * count);
    if (escaped !== undefined) return new TextColumn(() => room.textWithoutEscapes(escaped), places, bounds, undefined);
    return new TextColumn(this.#text, places, bounds, this.#isAscii ? this.bytes : undefined);
  }

  get #isAscii(): boolean {
    return this.#text.length === this.bytes.length;
  }

  /**
   * Reads an object or list. If the document is ASCII, {@link OrdinaryReader} reads it, because that reader is optimized for long lists.
   */
  #compound(depth: number): JsonValue | undefined {
    if (this.#isAscii) {
      const reader = (this.#ordinary ??= new OrdinaryReader(this.bytes, this.#text, this.#token));
      const value = reader.valueAt(this.at);
      this.at = reader.at;
      return value;
    }
    if (depth >= MAX_DEPTH) return undefined;
    return this.bytes[this.at] === OPEN_OBJECT ? this.#object(depth + 1) : this.#list(depth + 1);
  }

  #object(depth: number): JsonObject | undefined {
    const object = newJsonObject();
    this.at = this.skip(this.at + 1);
    if (this.bytes[this.at] === CLOSE_OBJECT) {
      this.at += 1;
      return object;
    }
    for (;;) {
      const key = this.key();
      if (key === undefined || object[key] !== undefined || !this.#colon()) return undefined;
      const value = this.value(depth);
      if (value === undefined) return undefined;
      object[key] = value;
      const next = this.#next(CLOSE_OBJECT);
      if (next !== COMMA) return next === undefined ? undefined : object;
    }
  }

  #list(depth: number): JsonValue[] | undefined {
    const list: JsonValue[] = [];
    this.at = this.skip(this.at + 1);
    if (this.bytes[this.at] === CLOSE_LIST) {
      this.at += 1;
      return list;
    }
    if (this.bytes[this.at] === QUOTE) {
      const scanner = (this.#listScanner ??= new ListScanner({ bytes: this.bytes, text: this.#text, token: this.#token }, NO_ROOM));
      scanner.shift = this.shift;
      if (!scanner.scanStrings(this.at, list)) return undefined;
      this.rewind(scanner.at, scanner.shift);
      if (scanner.isClosed) return list;
    }
    for (;;) {
      if (list.length % POLL_INTERVAL === POLL_INTERVAL - 1 && this.#token?.cancelled === true) throw new Cancelled();
      const value = this.value(depth);
      if (value === undefined) return undefined;
      list.push(value);
      const next = this.#next(CLOSE_LIST);
      if (next !== COMMA) return next === undefined ? undefined : list;
    }
  }

  /**
   * Moves past a comma and the space after it, or past the closing bracket. Returns the comma or bracket, or undefined if the next byte is
   * neither.
   */
  #next(close: number): number | undefined {
    const at = this.skip(this.at);
    const code = this.bytes[at];
    if (code !== COMMA && code !== close) return undefined;
    this.at = code === COMMA ? this.skip(at + 1) : at + 1;
    return code;
  }

  #colon(): boolean {
    const at = this.skip(this.at);
    if (this.bytes[at] !== COLON) return false;
    this.at = this.skip(at + 1);
    return true;
  }

  /**
   * Reads the rest of a string with escapes or non-ASCII characters. `start` is the offset of the string's first character, and `from` is
   * the offset of its first escape or non-ASCII character.
   */
  #unusualString(start: number, from: number): string | undefined {
    const { bytes } = this;
    const before = this.shift;
    let at = from;
    let isEscaped = false;
    for (let code = bytes[at] as number; code !== QUOTE; code = bytes[at] as number) {
      if (!(code >= SPACE)) return undefined;
      // In UTF-16, two or three bytes become one unit, and four bytes become two units. `shift` is the difference.
      if (code >= 0xc0) this.shift += code >= 0xe0 ? 2 : 1;
      if (code === BACKSLASH) isEscaped = true;
      at += code === BACKSLASH ? 2 : 1;
    }
    this.at = at + 1;
    const text = this.#text.slice(start - before, at - this.shift);
    return isEscaped ? unescaped(text) : text;
  }
}

const HIGH_SURROGATE = /[\ud800-\udbff]/;

const NOTHING = new Uint8Array();

/**
 * Memory for columns, which the constructor of `ListScanner` requires. It is never used, because this reader lets the scanner add all
 * elements to lists.
 */
const NO_ROOM = new ColumnRoom();

const isDigit = (code: number | undefined): boolean => code !== undefined && code >= ZERO && code < COLON;
