const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the length of the well-formed UTF-8 sequence at `at`, or 0 if there is none. Source: Go unicode/utf8 `DecodeRune`. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const follows = (offset: number, low = 0x80, high = 0xbf): boolean => {
    const byte = bytes[at + offset];
    return byte !== undefined && byte >= low && byte <= high;
  };
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    return follows(1, first === 0xe0 ? 0xa0 : 0x80, first === 0xed ? 0x9f : 0xbf) && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    return follows(1, first === 0xf0 ? 0x90 : 0x80, first === 0xf4 ? 0x8f : 0xbf) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

/** Returns the bytes of the UTF-8 sequence at `at`, or the single byte there if it begins no well-formed sequence. */
export function runeBytes(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.subarray(at, at + Math.max(1, sequenceLength(bytes, at)));
}

/** Text that was decoded from bytes. */
export interface DecodedText {
  readonly text: string;
  /** True if every byte is an ASCII character, so that offsets in the bytes and in the text are the same. */
  readonly isAscii: boolean;
}

/** Decodes bytes as Go does: each byte outside a well-formed UTF-8 sequence becomes one U+FFFD. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const text = decodeWellFormed(bytes);
  // A character outside ASCII has more UTF-8 bytes than UTF-16 units. So the text is ASCII if both lengths are equal.
  return text === undefined ? { text: decodeByteByByte(bytes), isAscii: false } : { text, isAscii: text.length === bytes.length };
}

/** Decodes bytes. Returns undefined if the bytes are not well-formed UTF-8. */
export function decodeWellFormed(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes UTF-8 bytes to a text, in the same way as {@link decodeText}: each invalid byte becomes one U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decodeText(bytes).text;
}

function decodeByteByByte(bytes: Uint8Array): string {
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(strict.decode(bytes.subarray(from, at)), '\ufffd');
    at += 1;
    from = at;
  }
  parts.push(strict.decode(bytes.subarray(from)));
  return parts.join('');
}

/** Returns true when the bytes are well-formed UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  return decodeWellFormed(bytes) !== undefined;
}

/**
 * Returns the value of a JSON string from the text between its quotes. Returns undefined if an escape is invalid or produces a lone
 * surrogate, which Go replaces. The string is built by `JSON.parse`, because V8 stores concatenated strings as a tree. Functions that
 * process such a tree become slower for all strings.
 */
export function unescaped(text: string): string | undefined {
  try {
    const value = JSON.parse(`"${text}"`) as string;
    return value.isWellFormed() ? value : undefined;
  } catch {
    return undefined;
  }
}

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
/** Length in bytes of an escape with a number (`\u0041`). `NAMED` is the length of any other escape. */
const NUMBERED = 6;
const NAMED = 2;
const NO_UNIT = -1;

/** Table from the byte after a backslash to the character that the escape represents. */
const NAMES = unitsOf([...'"\\/bfnrt'].map((name, i) => [name, '"\\/\b\f\n\r\t'.charCodeAt(i)]));
/** Table from the byte of a hexadecimal digit to the digit's value. */
const DIGITS = unitsOf([...'0123456789abcdefABCDEF'].map((digit) => [digit, Number.parseInt(digit, 16)]));

function unitsOf(entries: readonly (readonly [string, number])[]): Int8Array {
  const units = new Int8Array(256).fill(NO_UNIT);
  for (const [byte, unit] of entries) units[byte.charCodeAt(0)] = unit;
  return units;
}

/**
 * Returns the UTF-16 unit of the escape whose backslash is at `at`. The result is negative if the escape is invalid or is half of a
 * surrogate pair.
 */
export function escapedUnit(bytes: Uint8Array, at: number): number {
  const name = bytes[at + 1] as number;
  if (name !== LOWER_U) return NAMES[name] ?? NO_UNIT;
  let unit = 0;
  for (let i = at + NAMED; i < at + NUMBERED; i++) {
    const digit = DIGITS[bytes[i] as number] ?? NO_UNIT;
    if (digit < 0) return NO_UNIT;
    unit = unit * 16 + digit;
  }
  return unit >= 0xd800 && unit <= 0xdfff ? NO_UNIT : unit;
}

/** Returns the length in bytes of the escape whose backslash is at `at`. */
export const escapeLength = (bytes: Uint8Array, at: number): number => (bytes[at + 1] === LOWER_U ? NUMBERED : NAMED);

/**
 * Number of bytes that are copied one by one before the code searches for the next escape. The search is faster only if the escape is far
 * away.
 */
const FAR = 64;

/**
 * Copies UTF-8 bytes and replaces each escape by its character. All escapes must be valid (see {@link escapedUnit}). Returns the number of
 * bytes that were written.
 *
 * @param target buffer for the result, at least as long as `bytes`
 */
export function copyUnescaped(bytes: Uint8Array, target: Uint8Array): number {
  let from = 0;
  let to = 0;
  while (from < bytes.length) {
    const near = Math.min(from + FAR, bytes.length);
    let code = 0;
    while (from < near && (code = bytes[from] as number) !== BACKSLASH) {
      target[to++] = code;
      from += 1;
    }
    if (from === near) {
      const next = bytes.indexOf(BACKSLASH, from);
      const until = next < 0 ? bytes.length : next;
      target.set(bytes.subarray(from, until), to);
      to += until - from;
      from = until;
      continue;
    }
    to = putUnit(target, to, escapedUnit(bytes, from));
    from += escapeLength(bytes, from);
  }
  return to;
}

/** Writes a character as UTF-8 at the offset `at`. Returns the offset after the character. */
function putUnit(target: Uint8Array, at: number, unit: number): number {
  if (unit < 0x80) {
    target[at] = unit;
    return at + 1;
  }
  let to = at;
  if (unit < 0x800) target[to++] = 0xc0 | (unit >> 6);
  else {
    target[to++] = 0xe0 | (unit >> 12);
    target[to++] = 0x80 | ((unit >> 6) & 0x3f);
  }
  target[to] = 0x80 | (unit & 0x3f);
  return to + 1;
}

const SLOTS = 2048;
const MAX_LENGTH = 48;

/**
 * Cache of object keys. A repeated key is taken from the cache, which is faster than cutting it from the text. Each slot keeps the last key
 * that maps to it.
 */
const KEYS: string[] = Array.from({ length: SLOTS }, () => '');

/**
 * Returns the object key in a JSON text from the offset `start` up to `end`, exclusive. Takes the key from a cache of recent keys if
 * possible, so that equal keys share one string.
 */
export function keyAt(text: string, start: number, end: number): string {
  const length = end - start;
  if (length === 0 || length > MAX_LENGTH) return text.slice(start, end);
  const first = text.charCodeAt(start);
  const last = text.charCodeAt(end - 1);
  const middle = text.charCodeAt(start + (length >> 1));
  const slot = (length * 37 + first * 7 + middle * 131 + last * 521) & (SLOTS - 1);
  const known = KEYS[slot] as string;
  if (known.length === length && same(known, text, start)) return known;
  const key = interned(text.slice(start, end));
  KEYS[slot] = key;
  return key;
}

function same(known: string, text: string, start: number): boolean {
  for (let i = 0; i < known.length; i++) if (known.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  return true;
}

/** Returns an independent copy of `key`. A string that was cut from a larger text may keep that text in memory; the copy does not. */
export function interned(key: string): string {
  const holder = Object.create(null) as Record<string, boolean>;
  holder[key] = true;
  return Object.keys(holder)[0] as string;
}
