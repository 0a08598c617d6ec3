import { base64Bytes, utf8Bytes } from './bytes.ts';

/** What decoding gives: the bytes, or Go's error text. */
export type Base64Result = { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly error: string };

/** Decodes padded base64 in the usual alphabet as Go's base64.StdEncoding does: see {@link decodeBase64Url}. */
export function decodeBase64(text: string): Base64Result {
  return decode(text, /[A-Za-z0-9+/]/);
}

/**
 * Decodes padded base64 in the URL-safe alphabet as Go's base64.URLEncoding does: line breaks are skipped, anything else out of place is an
 * error that names the byte. Source: Go encoding/base64.
 */
export function decodeBase64Url(text: string): Base64Result {
  return decode(text, /[A-Za-z0-9_-]/);
}

function decode(text: string, isDigit: RegExp): Base64Result {
  const illegal = (index: number): Base64Result => ({ ok: false, error: `illegal base64 data at input byte ${index}` });
  const bytes = utf8Bytes(text);
  let digits = '';
  let at = 0;
  const skipBreaks = (): void => {
    while (bytes[at] === 0x0a || bytes[at] === 0x0d) at++;
  };
  for (;;) {
    skipBreaks();
    if (at === bytes.length) break;
    const char = String.fromCharCode(bytes[at] as number);
    if (isDigit.test(char)) {
      digits += char;
      at++;
      continue;
    }
    if (char !== '=' || digits.length % 4 < 2) return illegal(at);
    at++;
    if (digits.length % 4 === 2) {
      skipBreaks();
      if (at === bytes.length) return illegal(bytes.length);
      if (bytes[at] !== 0x3d) return illegal(at);
      at++;
    }
    skipBreaks();
    if (at < bytes.length) return illegal(at);
    return { ok: true, bytes: base64Bytes(digits) };
  }
  if (digits.length % 4 !== 0) return illegal(at - (digits.length % 4));
  return { ok: true, bytes: base64Bytes(digits) };
}
