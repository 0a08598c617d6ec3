/** First step of a field path: a key of a map, and the number of characters of the path that the step occupies. */
export interface FieldStep {
  readonly key: string;
  readonly length: number;
}

/**
 * Returns the longest key of a map that matches the beginning of a field path; undefined if no key matches.
 *
 * Kubernetes writes field names as `.name` and map keys as `[key]`, and escapes neither. A path such as `labels.a.b` is therefore ambiguous
 * by itself, so the longest matching key is chosen.
 */
export function longestStep(path: string, keys: Iterable<string>): FieldStep | undefined {
  let longest: FieldStep | undefined;
  for (const key of keys) {
    const length = lengthOfStep(path, key);
    if (length > (longest?.length ?? 0)) longest = { key, length };
  }
  return longest;
}

/**
 * Returns the number of characters that `key` occupies at the beginning of `path`, including its dot or brackets. Returns 0 if the path
 * does not begin with this key.
 */
function lengthOfStep(path: string, key: string): number {
  if (path.startsWith(`[${key}]`)) return key.length + 2;
  const dot = path.startsWith('.') ? 1 : 0;
  const length = dot + key.length;
  const next = path[length];
  return key !== '' && path.startsWith(key, dot) && (next === undefined || next === '.' || next === '[') ? length : 0;
}
