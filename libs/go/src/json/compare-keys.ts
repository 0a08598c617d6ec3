/** Number of code units that are compared one by one. Longer texts are then compared natively, in parts. */
const SINGLY = 32;

/** Compares strings by their UTF-8 bytes, as Go does. JavaScript's own comparison differs for characters above U+FFFF. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  const at = firstDifference(a, b, length);
  if (at === length) return a.length - b.length;
  const x = a.charCodeAt(at);
  const y = b.charCodeAt(at);
  const surrogateX = x >= 0xd800 && x <= 0xdfff;
  const surrogateY = y >= 0xd800 && y <= 0xdfff;
  return surrogateX === surrogateY ? x - y : surrogateX ? 1 : -1;
}

/**
 * Returns the index of the first of `length` code units in which two strings differ, or `length` if there is none. Compares parts that
 * double in size, and then halves of the part with the difference. A native comparison of a part is much faster than a loop.
 */
function firstDifference(a: string, b: string, length: number): number {
  let at = 0;
  for (const end = Math.min(length, SINGLY); at < end; at++) if (a.charCodeAt(at) !== b.charCodeAt(at)) return at;
  for (let size = SINGLY; at < length && isSame(a, b, at, at + size); size *= 2) at += size;
  for (let size = length - at; at < length && size > 0;) {
    const half = Math.ceil(size / 2);
    if (isSame(a, b, at, at + half)) {
      at += half;
      size -= half;
    } else if (half === 1) return at;
    else size = half;
  }
  return Math.min(at, length);
}

const isSame = (a: string, b: string, from: number, to: number): boolean => a.slice(from, to) === b.slice(from, to);

/** Returns the keys of an object in the order in which Go prints maps. */
export function sortedKeys(object: { readonly [key: string]: unknown }): string[] {
  return Object.keys(object).sort(compareBytes);
}
