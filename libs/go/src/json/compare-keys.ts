/** Compares strings by their UTF-8 bytes, as Go does. JavaScript's own comparison differs for characters above U+FFFF. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const surrogateX = x >= 0xd800 && x <= 0xdfff;
    const surrogateY = y >= 0xd800 && y <= 0xdfff;
    return surrogateX === surrogateY ? x - y : surrogateX ? 1 : -1;
  }
  return a.length - b.length;
}

/** Returns the keys of an object in the order in which Go prints maps. */
export function sortedKeys(object: { readonly [key: string]: unknown }): string[] {
  return Object.keys(object).sort(compareBytes);
}
