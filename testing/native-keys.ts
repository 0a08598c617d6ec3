import { vi } from 'vitest';

/**
 * Counts the numbers and bigints that code gives to new sets and maps of the runtime, whose hash of them has no seed.
 *
 * @param run the code
 */
export function nativeNumberKeys(run: () => void): number {
  let count = 0;
  const see = (key: unknown): void => {
    if (typeof key === 'number' || typeof key === 'bigint') count++;
  };
  class WatchedSet<Key> extends Set<Key> {
    override add(key: Key): this {
      see(key);
      return super.add(key);
    }
  }
  class WatchedMap<Key, Value> extends Map<Key, Value> {
    override set(key: Key, value: Value): this {
      see(key);
      return super.set(key, value);
    }
  }
  vi.stubGlobal('Set', WatchedSet);
  vi.stubGlobal('Map', WatchedMap);
  try {
    run();
  } finally {
    vi.unstubAllGlobals();
  }
  return count;
}
