/** Returns the map key with the given index. It has at least `length` code points. Long keys have a common prefix. */
export function keyText(index: number, length: number): string {
  const digits = index.toString(36);
  return digits.length + 1 >= length ? `k${digits}` : `${'k'.repeat(length - digits.length - 1)}-${digits}`;
}
