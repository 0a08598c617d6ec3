import { Cancelled } from '../cancellation.ts';
import type { CancellationToken } from '../cancellation.ts';
import { utf8Bytes } from '../bytes.ts';
import { decodeText, decodeUtf8 } from './decode-text.ts';
import type { DecodedText } from './decode-text.ts';
import { readOrdinary } from './read-ordinary.ts';
import { describeSyntaxError, MAX_DEPTH } from './syntax-error.ts';
import { floatValue, intValue, newJsonObject, SpelledFloat } from './value.ts';
import type { JsonObject, JsonValue } from './value.ts';

/** Result of reading a document: its value and its duplicate keys, or the text of Go's error. */
export type JsonReading =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      /**
       * Paths of keys that occurred again (`a.b[0].c`), in document order. Each path is listed once, and there are at most 100. The last
       * value of a key is used.
       */
      readonly duplicates: readonly string[];
      /** Values that the duplicates replaced, in the order of `duplicates`. */
      readonly replaced: readonly JsonValue[];
      /**
       * Go's error text for a number that does not fit a float64. As in Go, the rest of the document is still read. Undefined if all
       * numbers fit.
       */
      readonly numberError: string | undefined;
    }
  | { readonly ok: false; readonly error: string };

/** Highest number of reported duplicate keys. Source: sigs.k8s.io/json `UnmarshalStrict`. */
const MAX_DUPLICATES = 100;
/** Number of values between two checks of the cancellation token. */
const POLL_INTERVAL = 1024;
/**
 * Number of characters that the reader checks one by one for the end of a string. For a longer string, it calls a search function of the
 * runtime.
 */
const SHORT_STRING = 16;
// Matches backslashes, and characters that a string must not contain unescaped.
const NEEDS_CARE = /[\\\u0000-\u001f]/;
const NONE: readonly never[] = [];

/**
 * Reads JSON in the same way as sigs.k8s.io/json reads it into an `interface{}`. It distinguishes int64 and float64 by spelling, and
 * records duplicate keys. It replaces invalid UTF-8 and lone surrogates, allows 10,000 levels of nesting, and returns Go's error texts.
 * Throws `Cancelled` if the token is cancelled.
 */
export function readJson(input: Uint8Array | string, token?: CancellationToken): JsonReading {
  const bytes = typeof input === 'string' ? utf8Bytes(input) : input;
  const { text, isAscii } = typeof input === 'string' ? wellFormed(input, bytes) : decodeText(input);
  const value = isAscii ? readOrdinary(bytes, text, token) : undefined;
  return value === undefined
    ? readExactly(input, text, token)
    : { ok: true, value, duplicates: NONE, replaced: NONE, numberError: undefined };
}

function wellFormed(input: string, bytes: Uint8Array): DecodedText {
  return { text: input.toWellFormed(), isAscii: bytes.length === input.length };
}

/**
 * Reads any document, at about half the speed of {@link readJson}. {@link readJson} delegates to this function if a document is not
 * ordinary. Such a document is not ASCII, is invalid or deeply nested, or has duplicate keys or unusual numbers. For ordinary documents,
 * both functions must return the same result.
 */
export function readJsonExactly(input: Uint8Array | string, token?: CancellationToken): JsonReading {
  return readExactly(input, typeof input === 'string' ? input.toWellFormed() : decodeUtf8(input), token);
}

/**
 * Reads any document like {@link readJsonExactly}, but reads every float64 as a {@link SpelledFloat}. Errors can then quote numbers in
 * their original spelling.
 */
export function readSpelledJson(input: Uint8Array | string, token?: CancellationToken): JsonReading {
  return readExactly(input, typeof input === 'string' ? input.toWellFormed() : decodeUtf8(input), token, 'spelled');
}

function readExactly(
  input: Uint8Array | string,
  text: string,
  token: CancellationToken | undefined,
  numbers: 'plain' | 'spelled' = 'plain',
): JsonReading {
  const reader = new JsonReader(text, token, numbers === 'spelled');
  const value = reader.read();
  if (value === undefined) {
    return { ok: false, error: describeSyntaxError(typeof input === 'string' ? utf8Bytes(text) : input) };
  }
  return { ok: true, value, duplicates: reader.duplicates, replaced: reader.replaced, numberError: reader.numberError };
}

/** Number of digits of the longest int64. */
const INT64_DIGITS = 19;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/**
 * Reader that makes one pass over a string with an explicit stack, so that deep nesting cannot overflow the call stack. `read` returns
 * undefined at the first syntax error. Only then does a second pass over the bytes determine the error text.
 */
class JsonReader {
  duplicates: readonly string[] = NONE;
  replaced: readonly JsonValue[] = NONE;
  numberError: string | undefined;
  readonly #text: string;
  #at = 0;
  /** Containers that are not closed yet. `keys` has the current key or index of each container. */
  readonly #containers: (JsonObject | JsonValue[])[] = [];
  readonly #keys: string[] = [];
  readonly #token: CancellationToken | undefined;
  /** True if the whole text contains no backslash and no control character, so that a string always ends at the next quote. */
  readonly #plain: boolean;
  /** True if numbers other than int64 keep their original spelling. */
  readonly #keepsSpelling: boolean;

  constructor(text: string, token: CancellationToken | undefined, keepsSpelling: boolean) {
    this.#text = text;
    this.#token = token;
    this.#keepsSpelling = keepsSpelling;
    this.#plain = !NEEDS_CARE.test(text);
  }

  read(): JsonValue | undefined {
    const text = this.#text;
    const containers = this.#containers;
    const keys = this.#keys;
    let container: JsonObject | JsonValue[] | undefined;
    for (let step = 1; ; step++) {
      if (step % POLL_INTERVAL === 0 && this.#token?.cancelled === true) throw new Cancelled();
      let value: JsonValue | undefined;
      const code = this.#skipSpace();
      if (code === 0x22) {
        value = this.#string();
      } else if ((code === 0x7b || code === 0x5b) && containers.length >= MAX_DEPTH) {
        return undefined;
      } else if (code === 0x7b) {
        this.#at += 1;
        const object = newJsonObject();
        if (this.#skipSpace() === 0x7d) {
          this.#at += 1;
          value = object;
        } else {
          containers.push(object);
          container = object;
          const key = this.#key(object, containers.length - 1);
          if (key === undefined) return undefined;
          keys.push(key);
          continue;
        }
      } else if (code === 0x5b) {
        this.#at += 1;
        const list: JsonValue[] = [];
        if (this.#skipSpace() === 0x5d) {
          this.#at += 1;
          value = list;
        } else {
          containers.push(list);
          container = list;
          keys.push('');
          continue;
        }
      } else {
        value = this.#scalar(code);
      }
      if (value === undefined) return undefined;
      for (;;) {
        if (container === undefined) {
          this.#skipSpace();
          return this.#at === text.length ? value : undefined;
        }
        const depth = containers.length - 1;
        if (Array.isArray(container)) {
          container.push(value);
          const next = this.#skipSpace();
          this.#at += 1;
          if (next === 0x2c) break;
          if (next !== 0x5d) return undefined;
        } else {
          container[keys[depth] as string] = value;
          const next = this.#skipSpace();
          this.#at += 1;
          if (next === 0x2c) {
            this.#skipSpace();
            const key = this.#key(container, depth);
            if (key === undefined) return undefined;
            keys[depth] = key;
            break;
          }
          if (next !== 0x7d) return undefined;
        }
        value = container;
        containers.pop();
        keys.pop();
        container = containers[depth - 1];
      }
    }
  }

  /** Moves past white space. Returns the code of the next character, or NaN at the end of the text. */
  #skipSpace(): number {
    const text = this.#text;
    let at = this.#at;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
    this.#at = at;
    return code;
  }

  #key(object: JsonObject, depth: number): string | undefined {
    if (this.#text.charCodeAt(this.#at) !== 0x22) return undefined;
    const key = this.#string();
    if (key === undefined || this.#skipSpace() !== 0x3a) return undefined;
    this.#at += 1;
    const known = object[key];
    if (known !== undefined) this.#reportDuplicate(key, depth, known);
    return key;
  }

  #reportDuplicate(key: string, depth: number, replaced: JsonValue): void {
    let path = '';
    for (let level = 0; level < depth; level++) {
      const container = this.#containers[level] as JsonObject | JsonValue[];
      if (Array.isArray(container)) path += `[${container.length}]`;
      else path += `.${this.#keys[level] as string}`;
    }
    path = `${path}.${key}`.replace(/^\./, '');
    if (this.duplicates.length === MAX_DUPLICATES || this.duplicates.includes(path)) return;
    this.duplicates = [...this.duplicates, path];
    this.replaced = [...this.replaced, replaced];
  }

  #string(): string | undefined {
    const text = this.#text;
    const start = this.#at + 1;
    let at = start;
    for (;;) {
      // The runtime's search is faster for long strings, and this loop is faster for short ones.
      if (this.#plain && at - start === SHORT_STRING) {
        at = text.indexOf('"', at);
        if (at < 0) return undefined;
      }
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        this.#at = at + 1;
        return text.slice(start, at);
      }
      if (code === 0x5c) return this.#escapedString(start);
      if (!(code >= 0x20)) return undefined;
      at += 1;
    }
  }

  /** Reads a string with at least one backslash. `JSON.parse` decodes the escapes. Lone surrogates become U+FFFD as in Go. */
  #escapedString(start: number): string | undefined {
    const text = this.#text;
    let end = start;
    for (;;) {
      const code = text.charCodeAt(end);
      if (code === 0x22) break;
      if (!(code >= 0x20)) return undefined;
      end += code === 0x5c ? 2 : 1;
    }
    this.#at = end + 1;
    try {
      return (JSON.parse(text.slice(start - 1, end + 1)) as string).toWellFormed();
    } catch {
      return undefined;
    }
  }

  #scalar(code: number): JsonValue | undefined {
    const text = this.#text;
    if (code === 0x2d || (code >= 0x30 && code <= 0x39)) return this.#number(code);
    if (code === 0x74 && text.startsWith('true', this.#at)) {
      this.#at += 4;
      return true;
    }
    if (code === 0x66 && text.startsWith('false', this.#at)) {
      this.#at += 5;
      return false;
    }
    if (code === 0x6e && text.startsWith('null', this.#at)) {
      this.#at += 4;
      return null;
    }
    return undefined;
  }

  #number(first: number): JsonValue | undefined {
    const text = this.#text;
    const start = this.#at;
    let at = first === 0x2d ? start + 1 : start;
    const digits = at;
    let magnitude = 0;
    let code = text.charCodeAt(at);
    while (code >= 0x30 && code <= 0x39) {
      magnitude = magnitude * 10 + code - 0x30;
      code = text.charCodeAt(++at);
    }
    if (at === digits || (at > digits + 1 && text.charCodeAt(digits) === 0x30)) return undefined;
    const fractional = code === 0x2e || code === 0x65 || code === 0x45;
    if (!fractional) {
      this.#at = at;
      if (at - digits <= 15) return first === 0x2d && magnitude !== 0 ? -magnitude : magnitude;
      // A number with more digits exceeds an int64. Parsing such a number as a BigInt could take very long.
      if (at - digits > INT64_DIGITS) return this.#float(text.slice(start, at));
      const exact = BigInt(text.slice(start, at));
      return exact >= MIN_INT64 && exact <= MAX_INT64 ? intValue(exact) : this.#float(text.slice(start, at));
    }
    return this.#fraction(start, at);
  }

  /** Reads the rest of a number. `from` is the offset of its decimal point or exponent. */
  #fraction(start: number, from: number): JsonValue | undefined {
    const text = this.#text;
    let at = from;
    const digits = (): boolean => {
      const before = at;
      while (text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at += 1;
      return at > before;
    };
    if (text.charCodeAt(at) === 0x2e) {
      at += 1;
      if (!digits()) return undefined;
    }
    if (text.charCodeAt(at) === 0x65 || text.charCodeAt(at) === 0x45) {
      at += 1;
      if (text.charCodeAt(at) === 0x2b || text.charCodeAt(at) === 0x2d) at += 1;
      if (!digits()) return undefined;
    }
    this.#at = at;
    return this.#float(text.slice(start, at));
  }

  #float(spelling: string): JsonValue {
    const value = Number(spelling);
    if (Number.isFinite(value)) return this.#keepsSpelling ? new SpelledFloat(value, spelling) : floatValue(value);
    this.numberError ??= `json: cannot unmarshal number ${spelling} into Go value of type float64`;
    return null;
  }
}
