import { newJsonObject } from '#go';
import { fieldErrorText, showsBadValue } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import type { BadValue, FieldError, FieldErrorType } from '#kube';

/** Creates a JSON object from `entries`. Entries with the value undefined are left out. */
export function jsonObject(entries: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const object = newJsonObject();
  for (const [key, value] of Object.entries(entries)) if (value !== undefined) object[key] = value;
  return object;
}

const badValueJson = (bad: BadValue): JsonValue => (bad.kind === 'omitted' ? null : bad.value);

/** Error types whose bad value the oracle records although no text shows it. */
const RECORDED: ReadonlySet<FieldErrorType> = new Set<FieldErrorType>(['FieldValueTooShort']);

/** Returns a field error in the JSON form of the oracle's protocol. */
export function errorJson(error: FieldError): JsonObject {
  return jsonObject({
    type: error.type,
    field: error.field,
    badValue: showsBadValue(error) || RECORDED.has(error.type) ? badValueJson(error.badValue) : undefined,
    detail: error.detail,
    text: fieldErrorText(error),
  });
}

/** Returns `list`, or undefined if it is empty, because the protocol leaves out empty lists. */
export function nonEmpty(list: JsonValue[]): JsonValue[] | undefined {
  return list.length === 0 ? undefined : list;
}
