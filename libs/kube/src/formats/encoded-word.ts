import { utf8Length } from '#go';

/** Character sets that Go can decode without a charset reader from the caller. */
const KNOWN_CHARSETS: readonly string[] = ['utf-8', 'iso-8859-1', 'us-ascii'];
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const QUOTED_PRINTABLE = /^(?:=[0-9A-Fa-f]{2}|[ -<>-~])*$/;
const ENCODINGS: Readonly<Record<string, RegExp>> = { b: BASE64, B: BASE64, q: QUOTED_PRINTABLE, Q: QUOTED_PRINTABLE };

/**
 * Kind of a word in the display name of an email address: a plain word or an encoded word (RFC 2047). An encoded word may have no text or
 * an unknown charset.
 */
export type WordKind = 'plain' | 'encoded' | 'encoded without text' | 'of an unknown charset';

/**
 * Returns the kind of an atom (word) in the display name of an email address. A malformed encoded word counts as a plain word. Source: Go
 * mime/encodedword.go `WordDecoder.Decode`, net/mail/message.go `decodeRFC2047Word` (1.26).
 */
export function wordKind(atom: string): WordKind {
  if (utf8Length(atom) < 8 || !atom.startsWith('=?') || !atom.endsWith('?=')) return 'plain';
  const [charset = '', encoding = '', content, ...more] = atom.slice(2, -2).split('?');
  if (content === undefined || more.length > 0 || charset === '') return 'plain';
  if (!Object.hasOwn(ENCODINGS, encoding) || ENCODINGS[encoding]?.test(content) !== true) return 'plain';
  // Go treats the long s as an s if it ignores case.
  if (!KNOWN_CHARSETS.includes(charset.toLowerCase().replaceAll('ſ', 's'))) return 'of an unknown charset';
  return content === '' ? 'encoded without text' : 'encoded';
}
