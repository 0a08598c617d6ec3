/** Returns the key with an index, of at least so many code points. Long keys have equal beginnings. */
export function keyText(index: number, length: number): string {
  const digits = index.toString(36);
  return digits.length + 1 >= length ? `k${digits}` : `${'k'.repeat(length - digits.length - 1)}-${digits}`;
}
