import { decodeUtf8, isUtf8 } from '../json/decode-text.ts';

/** Number of bytes that libyaml's reader fetches at a time. Source: go.yaml.in/yaml/v2 yamlprivateh.go `input_raw_buffer_size`. */
const CHUNK_BYTES = 512;
/** Error message for a text in UTF-16 whose last character is incomplete. */
const INCOMPLETE_UTF16 = 'incomplete UTF-16 character';
const BYTE_ORDER_MARK = '\ufeff';
/** Characters that libyaml refuses to read: control characters other than tab and line ends, and noncharacters. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;
const UTF16_LITTLE = new TextDecoder('utf-16le', { fatal: true, ignoreBOM: true });
const UTF16_BIG = new TextDecoder('utf-16be', { fatal: true, ignoreBOM: true });

/**
 * Text for the YAML scanner. It also has the facts about libyaml's input reader on which errors and results depend, such as the ends of its
 * chunks.
 */
export interface SourceText {
  /** Text up to the first unreadable character, without the byte order mark at its beginning. */
  readonly text: string;
  /** Error of the reader, if the text ends at an unreadable character. */
  readonly error: string | undefined;
  /**
   * Offsets at which libyaml's reader fetches the next chunk. The reader reports an error when it fetches the chunk with the error, before
   * the scanner reaches that position. At the beginning of a line, libyaml looks for a byte order mark at the start of the current chunk.
   * The list is empty if the text has neither an error nor such a mark.
   */
  readonly chunkEnds: readonly number[];
}

/** Decodes a text in the same way as libyaml's reader. Source: go.yaml.in/yaml/v2 readerc.go. */
export function readSource(input: Uint8Array | string): SourceText {
  const { text: whole, error, broken, wide } = typeof input === 'string' ? decoded(input.toWellFormed()) : decode(input);
  const marked = whole.startsWith(BYTE_ORDER_MARK);
  const text = marked ? whole.slice(1) : whole;
  const chunks = (last: number): number[] => chunkEnds(text, last, marked ? (wide ? 2 : 3) : 0, broken, wide);
  const forbidden = text.search(FORBIDDEN);
  if (forbidden >= 0) return { text: text.slice(0, forbidden), error: 'control characters are not allowed', chunkEnds: chunks(forbidden) };
  if (error === undefined) return { text, error, chunkEnds: text.includes(BYTE_ORDER_MARK) ? chunks(text.length - 1) : [] };
  // libyaml's reader finds an incomplete last character only when it asks for more text. So the end of the text is a chunk of its own.
  return {
    text,
    error,
    chunkEnds: error === INCOMPLETE || error === INCOMPLETE_UTF16 ? [...chunks(text.length - 1), text.length] : chunks(text.length),
  };
}

interface Decoded {
  readonly text: string;
  readonly error: string | undefined;
  /** Number of bytes that the reader examines before it reports the error. */
  readonly broken: number;
  /** True if the text is encoded in UTF-16. */
  readonly wide: boolean;
}

function decoded(text: string): Decoded {
  return { text, error: undefined, broken: 0, wide: false };
}

/** Returns true if a text begins with a byte order mark of UTF-16. */
export function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function decode(bytes: Uint8Array): Decoded {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(UTF16_LITTLE, bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(UTF16_BIG, bytes);
  if (isUtf8(bytes)) return decoded(decodeUtf8(bytes));
  const { at, width, error } = invalidUtf8(bytes);
  return { text: decodeUtf8(bytes.subarray(0, at)), error, broken: width, wide: false };
}

/**
 * Decodes UTF-16. An invalid surrogate anywhere in the text is reported before any token is scanned. Half a character at the end is reported
 * when the scanner reaches it.
 */
function decodeUtf16(decoder: TextDecoder, bytes: Uint8Array): Decoded {
  const whole = bytes.length & ~1;
  try {
    const text = decoder.decode(bytes.subarray(0, whole));
    return { text, error: whole === bytes.length ? undefined : INCOMPLETE_UTF16, broken: 1, wide: true };
  } catch {
    return { text: '', error: 'unexpected low surrogate area', broken: 2, wide: true };
  }
}

/**
 * Returns the end offsets of chunks of 512 bytes, up to the chunk that contains the offset `last`. A chunk never splits a character.
 *
 * @param marked number of bytes of the byte order mark
 * @param broken number of bytes after the text that do not form a character
 */
function chunkEnds(text: string, last: number, marked: number, broken: number, wide: boolean): number[] {
  const ends: number[] = [];
  let filled = marked;
  for (let at = 0; at <= last; at++) {
    const code = text.charCodeAt(at);
    const pair = code >= 0xd800 && code <= 0xdbff;
    const width = at === text.length ? broken : pair ? 4 : wide ? 2 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    if (filled + width > CHUNK_BYTES) {
      ends.push(at);
      filled = 0;
    }
    filled += width;
    if (pair) at += 1;
  }
  return ends;
}

/** First invalid byte sequence of a text, with the error text of libyaml's reader. */
export interface InvalidUtf8 {
  /** Offset of the first byte of the invalid sequence. */
  readonly at: number;
  /** Number of bytes that a sequence needs according to its first byte, the byte at `at`. 1 if no sequence can begin with this byte. */
  readonly width: number;
  readonly error: string;
}

/** Error message for a YAML text whose last UTF-8 character is incomplete. */
const INCOMPLETE = 'incomplete UTF-8 octet sequence';

/**
 * Returns the first invalid sequence in bytes that are not well-formed UTF-8. Source: go.yaml.in/yaml/v2 readerc.go
 * `yaml_parser_update_buffer`.
 */
function invalidUtf8(bytes: Uint8Array): InvalidUtf8 {
  let at = 0;
  while (at < bytes.length) {
    const first = bytes[at] as number;
    const width = widthOf(first);
    if (width === 0) return { at, width: 1, error: 'invalid leading UTF-8 octet' };
    if (at + width > bytes.length) return { at, width, error: INCOMPLETE };
    let value = width === 1 ? first : first & (0xff >> (width + 1));
    for (let i = 1; i < width; i++) {
      const octet = bytes[at + i] as number;
      if ((octet & 0xc0) !== 0x80) return { at, width, error: 'invalid trailing UTF-8 octet' };
      value = (value << 6) + (octet & 0x3f);
    }
    if (width > 1 && value < (MIN_CODE_POINTS[width] as number)) return { at, width, error: 'invalid length of a UTF-8 sequence' };
    if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) return { at, width, error: 'invalid Unicode character' };
    at += width;
  }
  return { at, width: 0, error: 'invalid Unicode character' };
}

/** Table from the number of bytes of a sequence to the lowest code point that needs this number of bytes. */
const MIN_CODE_POINTS = [0, 0, 0x80, 0x800, 0x10000];

/** Returns the number of bytes of a UTF-8 sequence by its first byte. Returns 0 if no sequence can begin with this byte. */
export function widthOf(octet: number): number {
  if ((octet & 0x80) === 0) return 1;
  if ((octet & 0xe0) === 0xc0) return 2;
  if ((octet & 0xf0) === 0xe0) return 3;
  return (octet & 0xf8) === 0xf0 ? 4 : 0;
}
