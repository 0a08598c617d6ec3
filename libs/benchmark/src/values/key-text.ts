/**
 * Generates a key for a test map. Different values of `index` give different keys. The key has at least `length` code points, and long keys
 * have the same prefix.
 */
export function generatedKey(index: number, length: number): string {
  const digits = index.toString(36);
  return digits.length + 1 >= length ? `k${digits}` : `${'k'.repeat(length - digits.length - 1)}-${digits}`;
}
