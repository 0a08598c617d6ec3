import { isJsonObject, sortedKeys, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';

/** Metadata fields that are not compared, because the server or the test harness sets them. */
const UNCOMPARED = new Set([
  'name',
  'namespace',
  'generateName',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
]);

/** Returns a sentence about the first difference between the stored object and the expected object; undefined if there is none. */
export function differenceOf(expected: JsonObject, stored: JsonObject): string | undefined {
  const found = firstDifference(comparable(expected), comparable(stored), '');
  return found && `the stored object differs at ${found}`;
}

function comparable(object: JsonObject): JsonObject {
  const copy = Object.assign(Object.create(null) as JsonObject, object);
  const metadata = object['metadata'];
  const rest = isJsonObject(metadata) ? Object.fromEntries(Object.entries(metadata).filter(([key]) => !UNCOMPARED.has(key))) : {};
  if (Object.keys(rest).length > 0) copy['metadata'] = rest;
  else delete copy['metadata'];
  return copy;
}

function firstDifference(expected: JsonValue | undefined, stored: JsonValue | undefined, path: string): string | undefined {
  const here = path === '' ? '(root)' : path;
  if (expected === undefined) return `${here}: not expected, stored ${writeJson(stored ?? null)}`;
  if (stored === undefined) return `${here}: expected ${writeJson(expected)}, not stored`;
  if (Array.isArray(expected) && Array.isArray(stored)) {
    for (let i = 0; i < Math.max(expected.length, stored.length); i++) {
      const difference = firstDifference(expected[i], stored[i], `${path}[${i}]`);
      if (difference) return difference;
    }
    return undefined;
  }
  if (isJsonObject(expected) && isJsonObject(stored)) {
    for (const key of new Set([...sortedKeys(expected), ...sortedKeys(stored)])) {
      const difference = firstDifference(expected[key], stored[key], path === '' ? key : `${path}.${key}`);
      if (difference) return difference;
    }
    return undefined;
  }
  return writeJson(expected) === writeJson(stored) ? undefined : `${here}: expected ${writeJson(expected)}, stored ${writeJson(stored)}`;
}
