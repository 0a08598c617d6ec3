import { compareBytes, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { ABSENT_LIST } from '../../schema/schema-props.ts';

/** Returns a struct as Go's encoding/json writes a struct without JSON tags: all fields in their order, with capitalised names. */
export function struct(entries: readonly (readonly [string, JsonValue | undefined])[]): JsonObject {
  const json = newJsonObject();
  for (const [key, value] of entries) json[key] = value ?? null;
  return json;
}

/** Returns a list as Go's encoding/json writes a slice, with each element converted by `write`. Returns null if the list is absent. */
export function structList<T>(items: readonly T[] | undefined, write: (item: T) => JsonValue): JsonValue {
  return items === undefined || items === ABSENT_LIST ? null : items.map(write);
}

/**
 * Returns a map as Go's encoding/json writes a map: with sorted keys, and with each value converted by `write`. Returns null if the map is
 * absent.
 */
export function structMap<T>(items: ReadonlyMap<string, T> | undefined, write: (item: T) => JsonValue): JsonValue {
  if (items === undefined) return null;
  const json = newJsonObject();
  for (const key of [...items.keys()].sort(compareBytes)) json[key] = write(items.get(key) as T);
  return json;
}
