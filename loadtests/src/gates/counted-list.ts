import { isJsonObject, newJsonObject } from '#go';
import type { JsonValue } from '#go';

/** Counter of the reads of list elements. */
export interface ReadCounter {
  reads: number;
}

/**
 * Returns a copy of a value whose lists count each read of an element. The copy behaves like the original, so that all parts of the engine
 * can be counted: validators, list types, compiled and interpreted rules.
 */
export function countingReads(value: JsonValue, counter: ReadCounter): JsonValue {
  if (Array.isArray(value)) {
    const elements = value.map((element) => countingReads(element, counter));
    return new Proxy(elements, {
      get(target, key, receiver) {
        if (typeof key === 'string' && isIndex(key)) counter.reads += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
  }
  if (!isJsonObject(value)) return value;
  const copy = newJsonObject();
  for (const [key, member] of Object.entries(value)) copy[key] = countingReads(member, counter);
  return copy;
}

const isIndex = (key: string): boolean => {
  const first = key.charCodeAt(0);
  return first >= 48 && first <= 57;
};
