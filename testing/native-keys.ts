import { vi } from 'vitest';

/**
 * Counts the numbers and bigints that code adds as keys to new native sets and maps. The hash of such a key has no seed, so keys that
 * collide can be constructed.
 *
 * @param run the code to watch
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
