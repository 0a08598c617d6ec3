import type { JsonObject } from './value.ts';

/** Minimum number of keys for which the list of keys is cached. Listing fewer keys is faster than a cache look-up. */
const MANY = 64;

const KNOWN = new WeakMap<JsonObject, readonly string[]>();

/**
 * Returns the keys of an object in the order of `Object.keys`. The keys of large objects are cached, because the runtime traverses and
 * sorts a large object each time it lists the keys. After this call, no entry may be added to or removed from the object.
 */
export function entryKeys(object: JsonObject): readonly string[] {
  const known = KNOWN.get(object);
  if (known !== undefined) return known;
  const keys = Object.keys(object);
  if (keys.length >= MANY) KNOWN.set(object, keys);
  return keys;
}

/** Returns the number of entries of an object. See {@link entryKeys}. */
export const entryCount = (object: JsonObject): number => entryKeys(object).length;
