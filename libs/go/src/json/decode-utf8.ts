const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the length of the well-formed UTF-8 sequence at `at`, or 0 if there is none. Source: Go unicode/utf8 `DecodeRune`. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const follows = (offset: number, low = 0x80, high = 0xbf): boolean => {
    const byte = bytes[at + offset];
    return byte !== undefined && byte >= low && byte <= high;
  };
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    return follows(1, first === 0xe0 ? 0xa0 : 0x80, first === 0xed ? 0x9f : 0xbf) && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    return follows(1, first === 0xf0 ? 0x90 : 0x80, first === 0xf4 ? 0x8f : 0xbf) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

/** Returns the bytes of the UTF-8 sequence at `at`, or the single byte there if it begins no well-formed sequence. */
export function runeBytes(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.subarray(at, at + Math.max(1, sequenceLength(bytes, at)));
}

/** Text that was decoded from bytes. */
export interface DecodedText {
  readonly text: string;
  /** True if every byte is an ASCII character, so that offsets in the bytes and in the text are the same. */
  readonly isAscii: boolean;
}

/** Decodes bytes as Go does: each byte outside a well-formed UTF-8 sequence becomes one U+FFFD. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const text = decodeWellFormed(bytes);
  // In well-formed UTF-8, every character outside ASCII has more bytes than UTF-16 units.
  return text === undefined ? { text: decodeByteByByte(bytes), isAscii: false } : { text, isAscii: text.length === bytes.length };
}

/** Decodes bytes. Returns undefined if the bytes are not well-formed UTF-8. */
export function decodeWellFormed(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes UTF-8 bytes to a text, in the same way as {@link decodeText}: each invalid byte becomes one U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decodeText(bytes).text;
}

function decodeByteByByte(bytes: Uint8Array): string {
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(strict.decode(bytes.subarray(from, at)), '\ufffd');
    at += 1;
    from = at;
  }
  parts.push(strict.decode(bytes.subarray(from)));
  return parts.join('');
}

/** Returns true when the bytes are well-formed UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  return decodeWellFormed(bytes) !== undefined;
}
