import { deepEqualJson, isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Structural } from '../structural/structural.ts';
import { areDistinct } from './write/distinct.ts';

/**
 * Returns true if a quick comparison shows that a value equals its old value, with all list items in the same order. In this case,
 * `Correlation.unchanged` is also true, but this function builds no indexes. If the result is false, the value may still be unchanged.
 */
export function isPlainlyUnchanged(value: JsonValue, oldValue: JsonValue, schema: Structural): boolean {
  if (Array.isArray(value)) return Array.isArray(oldValue) && isListUnchanged(value, oldValue, schema);
  if (!isJsonObject(value)) return deepEqualJson(value, oldValue);
  if (!isJsonObject(oldValue)) return false;
  const keys = Object.keys(value);
  if (keys.length !== Object.keys(oldValue).length) return false;
  for (const key of keys) {
    const old = oldValue[key];
    const field = schema.properties?.get(key) ?? schema.additionalProperties;
    // An undeclared field has no old value.
    if (old === undefined || field === undefined || !isPlainlyUnchanged(value[key] as JsonValue, old, field)) return false;
  }
  return true;
}

/**
 * Returns true if a list equals the old list in the same order. Items of a map list are correlated by their key, so the key must be present
 * and unique.
 */
function isListUnchanged(list: readonly JsonValue[], oldList: readonly JsonValue[], schema: Structural): boolean {
  if (list.length !== oldList.length) return false;
  if (schema.listType !== 'map') return deepEqualJson(list as JsonValue[], oldList as JsonValue[]);
  const { items, listMapKeys, type } = schema;
  const [key, another] = listMapKeys;
  if (items === undefined || key === undefined || another !== undefined || type !== 'array') return list.length === 0;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as JsonValue;
    if (!isJsonObject(item) || !isPlainlyUnchanged(item, oldList[i] as JsonValue, items)) return false;
  }
  return areDistinct(list.map((item) => (item as JsonObject)[key]));
}
