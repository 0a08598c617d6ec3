import { Float, intValue, isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';

const MAX_INT64 = 2n ** 63n - 1n;

/**
 * Returns the value that storage returns after `value` was written. A float without a fraction becomes an integer (`1.0` becomes `1`),
 * because Go's JSON writes it without a point. All other values stay the same.
 */
export function storedNumbers(value: JsonValue): JsonValue {
  if (value instanceof Float) return storedNumber(value);
  if (Array.isArray(value)) {
    const list: JsonValue[] = [];
    for (const item of value) list.push(storedNumbers(item));
    return list;
  }
  if (!isJsonObject(value)) return value;
  const copy = newJsonObject();
  for (const key of Object.keys(value)) copy[key] = storedNumbers(value[key] as JsonValue);
  return copy;
}

/**
 * Returns the same result as {@link storedNumbers}, but copies only parts in which a float becomes an integer. The caller must not change
 * the result, because it shares all other parts with `value`.
 *
 * @param isFree returns true if an object is known to contain no float
 */
export function withStoredNumbers(value: JsonValue, isFree: (json: JsonObject) => boolean = () => false): JsonValue {
  if (value instanceof Float) return storedNumber(value);
  if (Array.isArray(value)) {
    const list = value.map((item) => withStoredNumbers(item, isFree));
    return list.every((item, i) => Object.is(item, value[i])) ? value : list;
  }
  if (!isJsonObject(value) || isFree(value)) return value;
  let copy: JsonObject | undefined;
  for (const key of Object.keys(value)) {
    const before = value[key] as JsonValue;
    const after = withStoredNumbers(before, isFree);
    if (!Object.is(after, before)) (copy ??= Object.assign(newJsonObject(), value))[key] = after;
  }
  return copy ?? value;
}

function storedNumber(value: Float): JsonValue {
  // Go stores the shortest digits of a float64. Near 2^63, Go may read these digits back as a larger number.
  const text = String(value.value);
  if (!Number.isInteger(value.value) || text.includes('e')) return value;
  // Negative zero becomes 0 in an integer field, and keeps its sign in a float64 field.
  if (Object.is(value.value, -0)) return -0;
  const integer = BigInt(text);
  return integer <= MAX_INT64 && integer >= -MAX_INT64 - 1n ? intValue(integer) : value;
}
