import { decodeWellFormed, runeBytes } from '../json/decode-text.ts';
import { floatOf, isJsonObject } from '../json/value.ts';
import type { JsonValue } from '../json/value.ts';
import { compareBytes } from '../sort.ts';
import { formatFloat } from './number-text.ts';

/** Short escapes in Go string literals, by code point. */
const SHORT: ReadonlyMap<number, string> = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x0c, '\\f'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x09, '\\t'],
  [0x0b, '\\v'],
  [0x5c, '\\\\'],
]);

/**
 * Returns true if Go's strconv.IsPrint accepts a rune: a letter, mark, number, punctuation, symbol or the ASCII space. The pattern is in the
 * function, because creating it takes half a millisecond, and few threads need it.
 */
export function isPrintable(rune: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(rune);
}

const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * Cache for runes from U+0080 on, by block: 1 if Go prints the rune itself, 2 if Go escapes the rune. The cache is needed because patterns
 * with Unicode classes are slow.
 */
const printed = new Map<number, Uint8Array>();
const BLOCK_BITS = 8;

function isPrinted(code: number): boolean {
  if (code < 0x80) return code >= 0x20 && code < 0x7f && code !== 0x22 && code !== 0x5c;
  const block = code >> BLOCK_BITS;
  let known = printed.get(block);
  if (known === undefined) printed.set(block, (known = new Uint8Array(1 << BLOCK_BITS)));
  const at = code & ((1 << BLOCK_BITS) - 1);
  return (known[at] ||= isPrintable(String.fromCodePoint(code)) ? 1 : 2) === 1;
}

/** Cache of the escapes of runes up to U+007F. An escape is created at its first use. */
const asciiEscapes: string[] = [];

const escapeOf = (code: number): string =>
  code < 0x80 ? (asciiEscapes[code] ??= escapeRune(String.fromCharCode(code), '"')) : escapeRune(String.fromCodePoint(code), '"');

function escapeRune(rune: string, quote: string): string {
  if (rune === quote) return `\\${quote}`;
  const code = rune.codePointAt(0) as number;
  const short = SHORT.get(code);
  if (short !== undefined) return short;
  if (isPrintable(rune)) return rune;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code >= 0xd800 && code <= 0xdfff) return '\\ufffd';
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Returns a string as Go's %q prints it. Source: Go strconv/quote.go. */
export function goQuote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let quoted = '"';
  let copied = 0;
  for (let i = 0; i < text.length;) {
    const code = text.codePointAt(i) as number;
    const end = i + (code > 0xffff ? 2 : 1);
    if (!isPrinted(code)) {
      quoted += text.slice(copied, i) + escapeOf(code);
      copied = end;
    }
    i = end;
  }
  return `${quoted}${text.slice(copied)}"`;
}

/** Returns a rune in single quotes, in the same way as Go's %q prints it: `'a'`, `'\\''`, `'"'`, `'\\n'`. Source: Go strconv/quote.go. */
export function goQuoteRune(rune: string): string {
  return `'${escapeRune(rune, "'")}'`;
}

/** Returns bytes as Go's %q prints a string of these bytes: a byte outside a well-formed UTF-8 sequence becomes an escape `\\x..`. */
export function goQuoteBytes(bytes: Uint8Array): string {
  let quoted = '';
  for (let at = 0; at < bytes.length;) {
    const rune = runeBytes(bytes, at);
    const text = decodeWellFormed(rune);
    quoted += text === undefined ? `\\x${(bytes[at] as number).toString(16)}` : escapeRune(text, '"');
    at += rune.length;
  }
  return `"${quoted}"`;
}

/** Returns a decoded value as Go's `%#v` writes it. */
export function goSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  const float = floatOf(value);
  if (float !== undefined) return formatFloat(float);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isJsonObject(value)) return String(value);
  const entries = Object.keys(value)
    .sort(compareBytes)
    .map((key) => `${goQuote(key)}:${goSyntax(value[key] as JsonValue)}`);
  return `map[string]interface {}{${entries.join(', ')}}`;
}
