const SLOTS = 1024;
const MAX_LENGTH = 64;
const [FIRST_PLAIN, LAST_PLAIN, QUOTE, BACKSLASH] = [0x20, 0x7e, 0x22, 0x5c];
const UTF_8 = new TextDecoder();

/**
 * Cache of decoded texts. Keys, kinds and API versions occur repeatedly, and decoding a text costs more than comparing its bytes. The cache
 * is direct-mapped: a new text replaces an older text in the same slot.
 */
const TEXTS: string[] = Array.from({ length: SLOTS }, () => '');

/**
 * Returns the text of a JSON string of 1 to 64 printable ASCII characters without escapes. Returns undefined for any other string; it may
 * be invalid JSON.
 */
export function unescapedText(bytes: Uint8Array, start: number, end: number): string | undefined {
  const length = end - start;
  if (length <= 0 || length > MAX_LENGTH) return undefined;
  const first = bytes[start] ?? 0;
  const middle = bytes[start + (length >> 1)] ?? 0;
  const last = bytes[end - 1] ?? 0;
  const slot = (length * 37 + first * 7 + middle * 131 + last * 521) & (SLOTS - 1);
  const known = TEXTS[slot] ?? '';
  if (known.length === length && stands(known, bytes, start)) return known;
  if (!isPlain(bytes, start, end)) return undefined;
  const text = UTF_8.decode(bytes.subarray(start, end));
  TEXTS[slot] = text;
  return text;
}

function stands(known: string, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < known.length; i++) if (known.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}

function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < FIRST_PLAIN || byte > LAST_PLAIN || byte === QUOTE || byte === BACKSLASH) return false;
  }
  return true;
}
