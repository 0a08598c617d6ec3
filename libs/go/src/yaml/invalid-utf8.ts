/** First invalid byte sequence of a text, with the error text of libyaml's reader. */
export interface InvalidUtf8 {
  /** Offset of the first byte of the invalid sequence. */
  readonly at: number;
  /** Number of bytes that a sequence needs according to its first byte, the byte at `at`. 1 if no sequence can begin with this byte. */
  readonly width: number;
  readonly error: string;
}

/** Error message for a YAML text whose last UTF-8 character is incomplete. */
export const INCOMPLETE = 'incomplete UTF-8 octet sequence';

/**
 * Returns the first invalid sequence in bytes that are not well-formed UTF-8. Source: go.yaml.in/yaml/v2 readerc.go
 * `yaml_parser_update_buffer`.
 */
export function invalidUtf8(bytes: Uint8Array): InvalidUtf8 {
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
