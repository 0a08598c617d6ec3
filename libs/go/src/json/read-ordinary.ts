import { Cancelled } from '../cancellation.ts';
import type { CancellationToken } from '../cancellation.ts';
import { keyAt } from './key-cache.ts';
import { LONG_LIST, noteScalarList } from './scalar-list.ts';
import { floatValue, newJsonObject } from './value.ts';
import type { JsonObject, JsonValue } from './value.ts';

/** Levels of nesting up to which the reader recurses. */
const MAX_DEPTH = 200;
/** Elements between two looks at the cancellation token. */
const POLL_INTERVAL = 4096;
/** Digits of an integer that a small machine integer always holds. */
const SHORT_INTEGER = 9;
/** Digits of an integer that a number always holds exactly. */
const EXACT_INTEGER = 15;

/** Characters after which a string's end is searched for by the runtime. */
const LONG_STRING = 24;
/** Bytes of a document that is worth being searched for what strings may not hold. */
const LARGE_DOCUMENT = 64 * 1024;
/** What {@link SHORT_INTEGER} digits never leave. */
const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 } as const;

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
 * Reads an ordinary document of ASCII, so that every character is a byte: valid, no key twice in an object, no escapes in strings, no exponents, integers of at most 15 digits, not
 * deeply nested. Undefined for every other document, which the exact reader must then read from the beginning: here is no text of any error.
 * What is read is what the exact reader reads. Throws `Cancelled` when the token asks for it.
 */
export function readOrdinary(bytes: Uint8Array, text: string, token: CancellationToken | undefined): JsonValue | undefined {
  if (bytes.length !== text.length) return undefined;
  return new OrdinaryReader(bytes, text, token).document();
}

/** Every method gives undefined when the document is not ordinary, and leaves `at` behind what it read otherwise. */
export class OrdinaryReader {
  // Looking at bytes is faster than at the characters of a long text, cutting strings out of the text faster than out of the bytes.
  private readonly bytes: Uint8Array;
  private readonly text: string;
  private readonly token: CancellationToken | undefined;
  at = 0;
  private polled = POLL_INTERVAL;
  private plain: boolean | undefined;

  constructor(bytes: Uint8Array, text: string, token: CancellationToken | undefined) {
    this.bytes = bytes;
    this.text = text;
    this.token = token;
  }

  document(): JsonValue | undefined {
    const value = this.value(this.skipSpace(), 0);
    this.skipSpace();
    return this.at === this.text.length ? value : undefined;
  }

  /** The value that begins at an offset. */
  valueAt(at: number): JsonValue | undefined {
    this.at = at;
    return this.value(this.bytes[at] as number, 0);
  }

  private poll(): void {
    this.polled = POLL_INTERVAL;
    if (this.token?.cancelled === true) throw new Cancelled();
  }

  /** Moves past white space; the code there, NaN at the end. */
  private skipSpace(): number {
    const { bytes } = this;
    let { at } = this;
    let code = bytes[at] as number;
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = bytes[++at] as number;
    this.at = at;
    return code;
  }

  private value(code: number, depth: number): JsonValue | undefined {
    if (code === QUOTE) return this.string();
    if (code === OPEN_OBJECT) return depth < MAX_DEPTH ? this.object(depth + 1) : undefined;
    if (code === OPEN_LIST) return depth < MAX_DEPTH ? this.list(depth + 1) : undefined;
    if (code === MINUS || (code >= ZERO && code < COLON)) return this.number(code);
    return this.word(code);
  }

  private object(depth: number): JsonObject | undefined {
    const { text } = this;
    const object = newJsonObject();
    this.at += 1;
    let code = this.skipSpace();
    if (code === CLOSE_OBJECT) {
      this.at += 1;
      return object;
    }
    for (;;) {
      if (code !== QUOTE) return undefined;
      const start = this.at + 1;
      const end = this.endOfString(start);
      if (end < 0) return undefined;
      const key = keyAt(text, start, end);
      this.at = end + 1;
      if (object[key] !== undefined || this.skipSpace() !== COLON) return undefined;
      this.at += 1;
      const value = this.value(this.skipSpace(), depth);
      if (value === undefined) return undefined;
      object[key] = value;
      code = this.skipSpace();
      this.at += 1;
      if (code === CLOSE_OBJECT) return object;
      if (code !== COMMA) return undefined;
      code = this.skipSpace();
    }
  }

  private list(depth: number): JsonValue[] | undefined {
    const list: JsonValue[] = [];
    this.at += 1;
    let code = this.skipSpace();
    if (code === CLOSE_LIST) {
      this.at += 1;
      return list;
    }
    if (code === QUOTE) {
      if (!this.strings(list)) return undefined;
    } else if (code !== OPEN_OBJECT && code !== OPEN_LIST) this.integers(list);
    // A list of one kind has been read to its end by now.
    if (list.length > 0 && (this.bytes[this.at - 1] as number) === CLOSE_LIST) return list;
    for (code = this.skipSpace(); ; code = this.skipSpace()) {
      if (--this.polled <= 0) this.poll();
      const value = this.value(code, depth);
      if (value === undefined) return undefined;
      list.push(value);
      const next = this.skipSpace();
      this.at += 1;
      if (next === CLOSE_LIST) return list;
      if (next !== COMMA) return undefined;
    }
  }

  /** Reads short integers from the list's beginning, up to the first other element or behind the closing bracket. */
  private integers(list: JsonValue[]): void {
    const { bytes } = this;
    const first = this.at;
    let at = first;
    let count = 0;
    let min = INT32.max;
    let max = INT32.min;
    for (;;) {
      let code = bytes[at] as number;
      while (code === 0x20 || code === 0x0a) code = bytes[++at] as number;
      const start = at;
      const sign = code === MINUS ? -1 : 1;
      if (sign < 0) code = bytes[++at] as number;
      const digits = at;
      let value = 0;
      for (; code >= ZERO && code < COLON; code = bytes[++at] as number) value = (Math.imul(value, 10) + code - ZERO) | 0;
      const length = at - digits;
      const short = length === 1 || (length > 1 && length <= SHORT_INTEGER && bytes[digits] !== ZERO);
      if (!short || (code !== COMMA && code !== CLOSE_LIST)) {
        this.at = start;
        list.length = count;
        return;
      }
      value = Math.imul(value, sign);
      if (value < min) min = value;
      if (value > max) max = value;
      list[count] = value;
      count += 1;
      at += 1;
      if (code === CLOSE_LIST) break;
      if (count % POLL_INTERVAL === 0) this.pause(list, count, first, at);
    }
    this.at = at;
    list.length = count;
    if (count >= LONG_LIST) noteScalarList(list, { kind: 'ints', min, max });
  }

  /** Reads strings from the list's beginning, up to the first other element or behind the closing bracket; false when one is not ordinary. */
  private strings(list: JsonValue[]): boolean {
    const { text, bytes } = this;
    const first = this.at;
    let at = first;
    let shortest = Number.MAX_SAFE_INTEGER;
    let longest = 0;
    let count = 0;
    for (;;) {
      const start = at + 1;
      at = start;
      let code = bytes[at] as number;
      while (code !== QUOTE) {
        if (code === BACKSLASH || !(code >= 0x20)) return false;
        if (at - start === LONG_STRING && this.isPlain) {
          at = text.indexOf('"', at);
          if (at < 0) return false;
          break;
        }
        code = bytes[++at] as number;
      }
      const length = at - start;
      if (length < shortest) shortest = length;
      if (length > longest) longest = length;
      list[count] = text.slice(start, at);
      count += 1;
      code = bytes[++at] as number;
      if (code !== COMMA) {
        this.at = at;
        code = this.skipSpace();
        at = this.at;
      }
      at += 1;
      if (code === CLOSE_LIST) break;
      if (code !== COMMA) return false;
      if (bytes[at] !== QUOTE) {
        this.at = at;
        if (this.skipSpace() !== QUOTE) {
          list.length = count;
          return true;
        }
        at = this.at;
      }
      if (count % POLL_INTERVAL === 0) this.pause(list, count, first, at);
    }
    this.at = at;
    list.length = count;
    if (count >= LONG_LIST) noteScalarList(list, { kind: 'strings', minLength: shortest, maxLength: longest });
    return true;
  }

  /**
   * Between the elements of a long list: looks at the token and, once, makes room for those to come, as many as fit up to the next
   * bracket if they are like those before. A list that grows by and by costs twice the time.
   */
  private pause(list: JsonValue[], count: number, first: number, at: number): void {
    this.poll();
    if (count > POLL_INTERVAL) return;
    const ahead = this.bytes.subarray(at, this.bytes.indexOf(CLOSE_LIST, at));
    const nested = ahead.indexOf(OPEN_LIST);
    const length = nested < 0 ? ahead.length : nested;
    const seen = list.slice(0, count);
    list.length = count + Math.ceil((length * count) / (at - first)) + 1;
    // To the engine a list that was filled as a whole has no holes; rules need not look for one at each element.
    list.fill(seen[0] as JsonValue);
    for (let i = 0; i < count; i++) list[i] = seen[i] as JsonValue;
  }

  private string(): string | undefined {
    const start = this.at + 1;
    const end = this.endOfString(start);
    if (end < 0) return undefined;
    this.at = end + 1;
    return this.text.slice(start, end);
  }

  /** Where the closing quote is; -1 when an escape, a control character or the end comes first. */
  private endOfString(start: number): number {
    const { bytes } = this;
    let at = start;
    let code = bytes[at] as number;
    while (code !== QUOTE) {
      if (code === BACKSLASH || !(code >= 0x20)) return -1;
      code = bytes[++at] as number;
    }
    return at;
  }

  /** No string can hold an escape or a control character, so the next quote ends it. Found once, when a long string of a large document asks for it. */
  private get isPlain(): boolean {
    return (this.plain ??= this.bytes.length > LARGE_DOCUMENT && !this.text.includes('\\') && !holdsControls(this.bytes));
  }

  private number(first: number): JsonValue | undefined {
    const { bytes } = this;
    const start = this.at;
    let at = first === MINUS ? start + 1 : start;
    const digits = at;
    let magnitude = 0;
    let code = bytes[at] as number;
    for (; code >= ZERO && code < COLON; code = bytes[++at] as number) magnitude = magnitude * 10 + code - ZERO;
    const length = at - digits;
    if (length === 0 || length > EXACT_INTEGER || (length > 1 && (bytes[digits] as number) === ZERO)) return undefined;
    if (code === POINT) return this.fraction(start, at + 1);
    if (code === 0x65 || code === 0x45) return undefined;
    this.at = at;
    return first === MINUS ? 0 - magnitude : magnitude;
  }

  /** A number with digits behind its point, and no exponent. */
  private fraction(start: number, decimals: number): JsonValue | undefined {
    const { bytes, text } = this;
    let at = decimals;
    let code = bytes[at] as number;
    while (code >= ZERO && code < COLON) code = bytes[++at] as number;
    if (at === decimals || code === 0x65 || code === 0x45) return undefined;
    this.at = at;
    return floatValue(Number(text.slice(start, at)));
  }

  private word(code: number): JsonValue | undefined {
    const { text, at } = this;
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

/** Whether a byte of an ASCII text is below the space; four are looked at together. */
function holdsControls(bytes: Uint8Array): boolean {
  const head = Math.min((4 - (bytes.byteOffset & 3)) & 3, bytes.length);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + head, (bytes.length - head) >> 2);
  let found = 0;
  // Below the space, a subtraction borrows into the highest bit, which no ASCII byte has itself.
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as number;
    found |= (word - 0x20202020) & ~word;
  }
  for (let i = 0; i < head; i++) found |= (bytes[i] as number) - 0x20;
  for (let i = head + words.length * 4; i < bytes.length; i++) found |= (bytes[i] as number) - 0x20;
  return (found & 0x80808080) !== 0;
}
