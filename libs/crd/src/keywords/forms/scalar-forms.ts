import { copyJson, floatValue, isJsonObject, newJsonObject, sortedKeys } from '#go';
import type { JsonValue } from '#go';
import { ABSENT_LIST } from '../../schema/schema-props.ts';
import type { Form } from '../form.ts';

/** Decoder and encoder ({@link Form}) for keywords whose value is a string. An empty string is treated as an absent keyword. */
export const TEXT: Form<string> = {
  absent: '',
  blank: 'empty',
  isAbsent: (value) => value === '',
  isZero: (value) => value === '',
  decode: (decoder, json, path) => decoder.string(json, path),
  encode: (value) => (value === '' ? undefined : value),
  struct: (value) => value,
};

/** Returns the form of a value that is a pointer in Go. A present value is kept even if it is empty. */
function pointer<Value>(
  decode: Form<Value | undefined>['decode'],
  write: (value: Value) => JsonValue,
  struct: (value: Value) => JsonValue = write,
): Form<Value | undefined> {
  return {
    absent: undefined,
    blank: 'undefined',
    isAbsent: (value) => value === undefined,
    isZero: (value) => value === undefined,
    decode,
    encode: (value) => (value === undefined ? undefined : write(value)),
    struct: (value) => (value === undefined ? null : struct(value)),
  };
}

/** Decoder and encoder of schema keywords whose value is a string. An empty string differs from an absent keyword. */
export const OPTIONAL_TEXT = pointer<string>(
  (decoder, json, path) => decoder.optionalString(json, path),
  (value) => value,
);

/** Functions that decode and encode a keyword's boolean value. `false` is treated as absent. */
export const FLAG: Form<boolean> = {
  absent: false,
  blank: 'false',
  isAbsent: (value) => !value,
  isZero: (value) => !value,
  decode: (decoder, json, path) => decoder.bool(json, path),
  encode: (value) => value || undefined,
  struct: (value) => value,
};

/** Functions that decode and encode a boolean schema keyword for which `false` differs from absent. */
export const OPTIONAL_FLAG: Form<boolean | undefined> = {
  ...pointer<boolean>(
    (decoder, json, path) => decoder.optionalBool(json, path),
    (value) => value,
  ),
  blank: 'false',
};

/**
 * Decoder and encoder of schema keywords whose value is an int64 that bounds a size, such as `maxItems`. A present 0 differs from an absent
 * keyword.
 */
export const SIZE = pointer<number | bigint>(
  (decoder, json, path) => decoder.int64(json, path),
  (value) => value,
);

/** Decoder and encoder of schema keywords whose value is a float64. Undefined represents an absent keyword. */
export const NUMBER = pointer<number>((decoder, json, path) => decoder.float64(json, path), floatValue);

/** Decoder and encoder ({@link Form}) for keywords whose value is a list of strings. An empty list is treated as an absent keyword. */
export const TEXTS: Form<readonly string[]> = {
  absent: ABSENT_LIST,
  blank: 'empty',
  isAbsent: (value) => value.length === 0,
  isZero: (value) => value === ABSENT_LIST,
  decode: (decoder, json, path) => decoder.strings(json, path) ?? ABSENT_LIST,
  encode: (value) => (value.length === 0 ? undefined : [...value]),
  struct: (value) => (value === ABSENT_LIST ? null : [...value]),
};

/** Returns a value as if decoded into Go's `any`. The keys of maps are sorted, regardless of the order in which they were sent. */
function anyValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(anyValue);
  if (!isJsonObject(value)) return value;
  const json = newJsonObject();
  for (const key of sortedKeys(value)) json[key] = anyValue(value[key] as JsonValue);
  return json;
}

/** Functions that decode and encode a keyword's value that may be any JSON value. */
export const VALUE = pointer<JsonValue>(
  (decoder, json, path) => {
    decoder.unread(json, path);
    return json ?? undefined;
  },
  (value) => value,
  anyValue,
);

/**
 * Decoder and encoder of a keyword whose value may be any JSON value, such as `default`. The decoder copies the value. The copy is
 * necessary because the validation of defaults changes metadata in the value.
 */
export const OWN_VALUE: Form<JsonValue | undefined> = {
  ...VALUE,
  decode: (decoder, json, path) => {
    decoder.unread(json, path);
    return copyJson(json) ?? undefined;
  },
};

/** Decoder and encoder of schema keywords whose value is a list of any JSON values, such as `enum`. An empty list is treated as absent. */
export const VALUES: Form<readonly JsonValue[] | undefined> = {
  ...pointer<readonly JsonValue[]>(
    (decoder, json, path) => {
      decoder.unread(json, path);
      return decoder.list(json, path, '[]v1.JSON', (item) => item);
    },
    (value) => [...value],
    (value) => value.map(anyValue),
  ),
  isAbsent: (value) => value === undefined || value.length === 0,
  // Kubernetes drops an empty enum when it creates the structural schema.
  isZero: (value) => value === undefined || value.length === 0,
  encode: (value) => (value === undefined || value.length === 0 ? undefined : [...value]),
};
