import { concatBytes, utf8Bytes } from '#go';
/** Text of a literal after its escapes were decoded, or an error message. */
export type Unescaped = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: string };

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
};

const ESCAPE = /\\(?:([abfnrtv\\'"`?])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))/g;

/**
 * Returns the text of a string token without its quotes. Escapes are decoded unless the string is raw. Source: cel-go parser/unescape.go
 * (v0.22.0, v0.29.2).
 *
 * @param anyCodePoint True if escapes may denote half of a surrogate pair. Such an escape is decoded to the replacement character.
 */
export function unescapeString(token: string, anyCodePoint = false): Unescaped {
  const { body, raw } = unquote(token);
  if (raw || !body.includes('\\')) return { ok: true, text: body };
  let error: string | undefined;
  const text = body.replace(ESCAPE, (escape, simple?: string) => {
    if (simple !== undefined) return SIMPLE[simple]!;
    const point = /^\\\d/.test(escape) ? Number.parseInt(escape.slice(1), 8) : Number.parseInt(escape.slice(2), 16);
    if (point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)) return String.fromCodePoint(point);
    if (anyCodePoint && point <= 0x10ffff) return '\ufffd';
    error ??= anyCodePoint ? 'unable to unescape string' : 'invalid unicode code point';
    return '';
  });
  return error === undefined ? { ok: true, text } : { ok: false, error };
}

/** Returns the bytes of a bytes token: the UTF-8 encoding of its text, in which `\x` and octal escapes denote single bytes. */
export function unescapeBytes(
  token: string,
): { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly error: string } {
  const { body, raw } = unquote(token.slice(1));
  if (raw || !body.includes('\\')) return { ok: true, bytes: utf8Bytes(body) };
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const match of body.matchAll(ESCAPE)) {
    const [whole, simple, hex, short, long, octal] = match;
    if (short !== undefined || long !== undefined) return { ok: false, error: 'unable to unescape string' };
    parts.push(utf8Bytes(body.slice(end, match.index)));
    if (simple !== undefined) parts.push(utf8Bytes(SIMPLE[simple]!));
    else parts.push(Uint8Array.of(hex === undefined ? Number.parseInt(octal!, 8) : Number.parseInt(hex, 16)));
    end = match.index + whole.length;
  }
  parts.push(utf8Bytes(body.slice(end)));
  return { ok: true, bytes: concatBytes(parts) };
}

/** Removes the prefix and the quotes of a string token. All kinds of line breaks become `\n`. */
function unquote(token: string): { body: string; raw: boolean } {
  const normal = token.replace(/\r\n?/g, '\n');
  const raw = normal[0] === 'r' || normal[0] === 'R';
  const quoted = raw ? normal.slice(1) : normal;
  const triple = quoted.length >= 6 && (quoted.startsWith("'''") || quoted.startsWith('"""'));
  return { body: triple ? quoted.slice(3, -3) : quoted.slice(1, -1), raw };
}
