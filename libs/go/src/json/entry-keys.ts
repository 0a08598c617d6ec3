import type { JsonObject } from './value.ts';

/** The least number of remembered keys; a listing of fewer is quicker than a look-up. */
const MANY = 64;

const KNOWN = new WeakMap<JsonObject, readonly string[]>();

/**
 * Returns the keys of an object in its own order, and remembers many of them. The runtime walks and sorts a large object at every listing; Go knows the
 * length of a map. No entry may be added to such an object, or removed from it, afterwards.
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
