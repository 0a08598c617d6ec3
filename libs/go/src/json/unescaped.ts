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
