/**
 * Returns a function that computes the value for an object once, and then returns the same value for the same object. A value stays in
 * memory as long as its object. The computation may call the returned function for other objects. If it throws, nothing is stored.
 */
export function memoizeWeak<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = compute(key);
    known.set(key, { value });
    return value;
  };
}

/**
 * Returns a function that computes the value for a text and stores the values of recent texts. `count` is the maximum number of stored
 * values, and `length` is the maximum length of their texts in UTF-16 code units. If the store is full, it is emptied. The value of a
 * longer text is computed for each call.
 */
export function memoizeRecent<Value>(
  compute: (text: string) => Value,
  { count, length }: { readonly count: number; readonly length: number },
): (text: string) => Value {
  const known = new Map<string, { readonly value: Value }>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found.value;
    if (text.length > length) return compute(text);
    const own = ownCopy(text);
    const stored = { value: compute(own) };
    if (known.size >= count) known.clear();
    known.set(own, stored);
    return stored.value;
  };
}

/**
 * Returns a copy of a text that shares no memory with the original. The original may be a slice of a document, and would keep the whole
 * document in memory.
 */
const ownCopy = (text: string): string => ` ${text}`.slice(1);
