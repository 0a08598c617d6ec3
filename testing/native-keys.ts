/**
 * Counts the numbers and bigints that code gives to the runtime's own sets and maps, whose hash of them has no seed.
 *
 * @param run the code
 */
export function nativeNumberKeys(run: () => void): number {
  let count = 0;
  const see = (key: unknown): void => {
    if (typeof key === 'number' || typeof key === 'bigint') count++;
  };
  const [add, set] = [Object.getOwnPropertyDescriptor(Set.prototype, 'add')!, Object.getOwnPropertyDescriptor(Map.prototype, 'set')!];
  const [addKey, setKey] = [add.value as Set<unknown>['add'], set.value as Map<unknown, unknown>['set']];
  Object.defineProperty(Set.prototype, 'add', {
    ...add,
    value(this: Set<unknown>, key: unknown) {
      see(key);
      return addKey.call(this, key);
    },
  });
  Object.defineProperty(Map.prototype, 'set', {
    ...set,
    value(this: Map<unknown, unknown>, key: unknown, value: unknown) {
      see(key);
      return setKey.call(this, key, value);
    },
  });
  try {
    run();
  } finally {
    Object.defineProperty(Set.prototype, 'add', add);
    Object.defineProperty(Map.prototype, 'set', set);
  }
  return count;
}
