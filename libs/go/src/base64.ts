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
