/**
 * Functions for bytes that do not need Node's Buffer, because the engine libraries also run in browsers. Text is UTF-8 unless a function
 * name states another encoding.
 */
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** Number of bytes that one call converts to characters. Each byte is an argument of the call, and the number of arguments is limited. */
const AT_ONCE = 8192;

/** Returns the UTF-8 bytes of a text; lone surrogates become U+FFFD. */
export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Returns the text of UTF-8 bytes. Bytes that are not well-formed UTF-8 become U+FFFD. */
export function utf8Text(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Returns a text with one character (U+0000 to U+00FF) for each byte. */
export function latin1Text(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE)
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + AT_ONCE));
  return text;
}

/** Returns one byte for each character of a text that has only characters up to U+00FF. */
export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

const HEX_DIGITS = utf8Bytes('0123456789abcdef');

/** Returns the bytes as text, with two lower-case hexadecimal digits for each byte. */
export function hexText(bytes: Uint8Array): string {
  const digits = new Uint8Array(2 * bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    digits[2 * i] = HEX_DIGITS[byte >> 4] as number;
    digits[2 * i + 1] = HEX_DIGITS[byte & 15] as number;
  }
  return latin1Text(digits);
}

/** Returns the bytes as padded base64 text in the standard alphabet. */
export function base64Text(bytes: Uint8Array): string {
  return btoa(latin1Text(bytes));
}

/**
 * Decodes base64 in the standard or URL-safe alphabet. It never fails: it skips characters that are not digits, and ends at the first
 * padding character.
 */
export function base64Bytes(text: string): Uint8Array {
  const end = text.indexOf('=');
  const digits = (end < 0 ? text : text.slice(0, end))
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replaceAll(/[^A-Za-z0-9+/]/g, '');
  // A single remaining digit encodes no byte, so it is dropped.
  return latin1Bytes(atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits));
}

/** Returns the concatenation of several byte arrays. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Returns true if two byte arrays are equal. It compares four bytes at a time if both arrays are aligned. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  const words = a.byteOffset % 4 === 0 && b.byteOffset % 4 === 0 ? a.length >>> 2 : 0;
  if (words > 0) {
    const [left, right] = [new Int32Array(a.buffer, a.byteOffset, words), new Int32Array(b.buffer, b.byteOffset, words)];
    for (let i = 0; i < words; i++) if (left[i] !== right[i]) return false;
  }
  for (let i = words * 4; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Result of decoding: the bytes, or Go's error text. */
export type Base64Result = { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly error: string };

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const NO_DIGIT = 0xff;
const USUAL = valuesOf(`${DIGITS}+/`);
const URL_SAFE = valuesOf(`${DIGITS}-_`);
const PADDING = 0x3d;

/**
 * Decodes padded base64 in the standard alphabet, in the same way as Go's base64.StdEncoding. See {@link decodeBase64Url} for line breaks
 * and errors.
 */
export function decodeBase64(text: string): Base64Result {
  return decode(text, USUAL);
}

/**
 * Decodes padded base64 in the URL-safe alphabet, in the same way as Go's base64.URLEncoding. It skips line breaks. The error for any other
 * invalid byte contains the byte's offset. Source: Go encoding/base64.
 */
export function decodeBase64Url(text: string): Base64Result {
  return decode(text, URL_SAFE);
}

/** Returns a table of the digit values of a base64 alphabet, indexed by character code (up to U+007F). */
function valuesOf(alphabet: string): Uint8Array {
  const values = new Uint8Array(128).fill(NO_DIGIT);
  for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value;
  return values;
}

/**
 * Decodes base64 text. The offsets in error texts count characters. They equal Go's offsets in bytes, because all characters before the
 * first error are ASCII.
 */
function decode(text: string, values: Uint8Array): Base64Result {
  const decoded = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let length = 0;
  let digits = 0;
  let bits = 0;
  let at = 0;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const value = values[code] ?? NO_DIGIT;
    if (value === NO_DIGIT) {
      if (code === 0x0a || code === 0x0d) continue;
      const wrong = misplaced(text, at, digits);
      if (wrong !== undefined) return illegal(wrong);
      digits += 4 - (digits % 4);
      break;
    }
    bits = ((bits << 6) | value) & 0xffffff;
    if (digits % 4 !== 0) decoded[length++] = bits >> (6 - 2 * (digits % 4));
    digits += 1;
  }
  return digits % 4 === 0 ? { ok: true, bytes: decoded.slice(0, length) } : illegal(at - (digits % 4));
}

const illegal = (at: number): Base64Result => ({ ok: false, error: `illegal base64 data at input byte ${at}` });

/**
 * Returns the offset of the first misplaced character after the last digit. Only padding to a multiple of four digits and line breaks are
 * allowed after the last digit. Returns undefined if there is no misplaced character.
 */
function misplaced(text: string, from: number, digits: number): number | undefined {
  if (text.charCodeAt(from) !== PADDING || digits % 4 < 2) return from;
  let at = from + 1;
  if (digits % 4 === 2) {
    at = behindBreaks(text, at);
    if (text.charCodeAt(at) !== PADDING) return at;
    at += 1;
  }
  at = behindBreaks(text, at);
  return at < text.length ? at : undefined;
}

function behindBreaks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 0x0a || text.charCodeAt(at) === 0x0d) at += 1;
  return at;
}

// A search for these characters is many times faster than a loop over every character.
const NON_ASCII = /[^\0-\x7f]/;
const HIGH_SURROGATE = /[\ud800-\udbff]/;

/** Returns the length of a string in UTF-8 bytes, as Go's `len` does. A lone surrogate counts as U+FFFD, which has three bytes. */
export function utf8Length(text: string): number {
  let length = text.length;
  if (!NON_ASCII.test(text)) return length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    if (code < 0x800) length += 1;
    else if (code >= 0xd800 && code <= 0xdbff && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      length += 2;
      i += 1;
    } else length += 2;
  }
  return length;
}

/** Returns the number of code points of a string. A lone surrogate counts as one code point. */
export function codePointLength(text: string): number {
  let length = text.length;
  if (!HIGH_SURROGATE.test(text)) return length;
  for (let i = 0; i + 1 < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      length -= 1;
      i += 1;
    }
  }
  return length;
}
