import { goQuoteBytes, goQuoteRune, isPrintable } from '../text/quote.ts';
import { decodeWellFormed, runeBytes } from './decode-utf8.ts';

/** Error for JSON that ends too early. Source: Go encoding/json. */
export const END = 'unexpected end of JSON input';

/** Words of Go's errors about invalid JSON, as far as they differ between versions of Go. */
export interface SyntaxWords {
  /** Returns the quoted character at `at`. */
  readonly character: (bytes: Uint8Array, at: number) => string;
  /** Returns the error about the first bracket that nests too deep. */
  readonly tooDeep: (kind: 'object' | 'array') => string;
  /** Returns the error about an escape that begins at `start` and whose first wrong byte is at `at`. */
  readonly badEscape: (bytes: Uint8Array, start: number, at: number) => string;
  readonly inString: string;
  readonly afterPoint: string;
  readonly inExponent: string;
}

/**
 * Words of sigs.k8s.io/json, and of Go's encoding/json up to 1.26. They show single bytes. Source: sigs.k8s.io/json
 * internal/golang/encoding/json/scanner.go.
 */
export const BYTE_WORDS: SyntaxWords = {
  character: quotedByte,
  tooDeep: (kind) => `invalid character '${kind === 'object' ? '{' : '['}' exceeded max depth`,
  badEscape: (bytes, start, at) =>
    `invalid character ${quotedByte(bytes, at)} in ${at === start + 1 ? 'string escape code' : '\\u hexadecimal character escape'}`,
  inString: 'in string literal',
  afterPoint: 'after decimal point in numeric literal',
  inExponent: 'in exponent of numeric literal',
};

/**
 * Words of Go's encoding/json since 1.27. They show whole runes and whole escapes. Source: Go encoding/json/internal/jsonwire/decode.go,
 * wire.go `InvalidTextError`, encoding/json/v2_scanner.go `syntaxErrorReplacer` (1.27).
 */
export const RUNE_WORDS: SyntaxWords = {
  character: (bytes, at) => {
    const rune = decodeWellFormed(runeBytes(bytes, at));
    return rune === undefined ? `'\\x${(bytes[at] as number).toString(16)}'` : goQuoteRune(rune);
  },
  tooDeep: () => 'exceeded max depth',
  badEscape: (bytes, start) =>
    `invalid escape sequence ${quotedEscape(bytes.subarray(start, start + escapeLength(bytes, start)))} in string`,
  inString: 'in string',
  afterPoint: 'in numeric literal',
  inExponent: 'in numeric literal',
};

function quotedByte(bytes: Uint8Array, at: number): string {
  return goQuoteRune(String.fromCharCode(bytes[at] as number));
}

const escapeLength = (bytes: Uint8Array, start: number): number => (bytes[start + 1] === 0x75 ? 6 : 2);

function quotedEscape(escape: Uint8Array): string {
  const text = decodeWellFormed(escape);
  const isPlain = text !== undefined && Array.from(text).every((rune) => isPrintable(rune) && !NEEDS_QUOTES.has(rune));
  return isPlain ? `\`${text}\`` : goQuoteBytes(escape);
}

/** Printable runes that Go does not show between back-ticks. */
const NEEDS_QUOTES: ReadonlySet<string> = new Set(['`', ' ', '\ufffd']);
