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
