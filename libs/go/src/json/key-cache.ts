const SLOTS = 2048;
const MAX_LENGTH = 48;

/**
 * Cache of object keys. A repeated key is taken from the cache, which is faster than cutting it from the text. Each slot keeps the last key
 * that maps to it.
 */
const KEYS: string[] = Array.from({ length: SLOTS }, () => '');

/**
 * Returns the object key in a JSON text from the offset `start` up to `end`, exclusive. Takes the key from a cache of recent keys if
 * possible, so that equal keys share one string.
 */
export function keyAt(text: string, start: number, end: number): string {
  const length = end - start;
  if (length === 0 || length > MAX_LENGTH) return text.slice(start, end);
  const first = text.charCodeAt(start);
  const last = text.charCodeAt(end - 1);
  const middle = text.charCodeAt(start + (length >> 1));
  const slot = (length * 37 + first * 7 + middle * 131 + last * 521) & (SLOTS - 1);
  const known = KEYS[slot] as string;
  if (known.length === length && same(known, text, start)) return known;
  const key = interned(text.slice(start, end));
  KEYS[slot] = key;
  return key;
}

function same(known: string, text: string, start: number): boolean {
  for (let i = 0; i < known.length; i++) if (known.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  return true;
}

/** Returns an independent copy of `key`. A string that was cut from a larger text may keep that text in memory; the copy does not. */
export function interned(key: string): string {
  const holder = Object.create(null) as Record<string, boolean>;
  holder[key] = true;
  return Object.keys(holder)[0] as string;
}
