/** The first step of a field path: a key of the map at hand, and how much of the path it takes up. */
export interface FieldStep {
  readonly key: string;
  readonly length: number;
}

/**
 * Returns the key of a map with which a field path goes on. Kubernetes writes names as `.name` and keys of maps as `[key]`, and escapes neither. So a path alone can
 * mean several things (`labels.a.b`): the longest key that fits is meant. Undefined if no key fits.
 */
export function longestStep(path: string, keys: Iterable<string>): FieldStep | undefined {
  let longest: FieldStep | undefined;
  for (const key of keys) {
    const length = lengthOfStep(path, key);
    if (length > (longest?.length ?? 0)) longest = { key, length };
  }
  return longest;
}

/** Returns the length of a key at the beginning of a path; 0 if it does not come next. */
function lengthOfStep(path: string, key: string): number {
  if (path.startsWith(`[${key}]`)) return key.length + 2;
  const dot = path.startsWith('.') ? 1 : 0;
  const length = dot + key.length;
  const next = path[length];
  return key !== '' && path.startsWith(key, dot) && (next === undefined || next === '.' || next === '[') ? length : 0;
}
