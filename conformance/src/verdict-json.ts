import { newJsonObject } from '#go';
import { fieldErrorText, showsBadValue } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import type { BadValue, FieldError } from '#kube';

/** Returns an object from its entries; undefined ones are left out. */
export function jsonObject(entries: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const object = newJsonObject();
  for (const [key, value] of Object.entries(entries)) if (value !== undefined) object[key] = value;
  return object;
}

const badValueJson = (bad: BadValue): JsonValue => (bad.kind === 'omitted' ? null : bad.value);

/** Returns a field error as the protocol prints it. */
export function errorJson(error: FieldError): JsonObject {
  return jsonObject({
    type: error.type,
    field: error.field,
    badValue: showsBadValue(error) ? badValueJson(error.badValue) : undefined,
    detail: error.detail,
    text: fieldErrorText(error),
  });
}

/** Returns a list, or undefined when it is empty: the protocol leaves empty lists out. */
export function nonEmpty(list: JsonValue[]): JsonValue[] | undefined {
  return list.length === 0 ? undefined : list;
}
