import { floatOf, intValue, isJsonInt, isJsonObject, newJsonObject, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Minor } from '#kube';
import { kindText } from '../request/kinds.ts';
import type { BuiltInKind } from '../built-in/table/built-in-kind.ts';
import type { GoType } from '../built-in/table/go-type.ts';
import { readTyped } from '../built-in/typed/read-typed.ts';

/** Result of converting a mutated object: the object in the form in which the server stores it, or the conversion error. */
export type FinishedObject = { readonly ok: true; readonly object: JsonObject } | { readonly ok: false; readonly error: string };

/** Error that a value cannot be converted. It is thrown and caught only in this file. */
class Inconvertible extends Error {}

/** Conversions of integers to types of a certain size. Only the lowest bits are kept. */
const KEPT_BITS = {
  int32: (value: bigint) => BigInt.asIntN(32, value),
  int64: (value: bigint) => BigInt.asIntN(64, value),
  uint8: (value: bigint) => BigInt.asUintN(8, value),
};

/** Converts a number to an integer type. A float is accepted if its value is integral. */
function toInteger(value: JsonValue, kind: keyof typeof KEPT_BITS, text: string): JsonValue {
  const float = floatOf(value);
  if (float !== undefined && !Number.isInteger(float)) throw new Inconvertible(`cannot convert float64 to ${text}`);
  const integer = float === undefined ? value : BigInt(float);
  return isJsonInt(integer) ? intValue(KEPT_BITS[kind](BigInt(integer))) : value;
}

function toIntOrString(value: JsonValue): JsonValue {
  if (typeof value === 'string' || value === null || isJsonInt(value)) return value;
  const found = typeof value === 'boolean' ? 'bool' : `number ${writeJson(value)}`;
  throw new Inconvertible(`json: cannot unmarshal ${found} into Go value of type int32`);
}

/** Converts a value so that decoding the result as JSON gives the same value as Go's conversion of unstructured maps. */
function convert(value: JsonValue, type: GoType): JsonValue {
  switch (type.kind) {
    case 'int32':
    case 'int64':
    case 'uint8':
      return toInteger(value, type.kind, type.text);
    case 'own':
      return type.name === 'IntOrString' ? toIntOrString(value) : value;
    case 'pointer':
      return convert(value, type.to);
    case 'list':
      return Array.isArray(value) ? value.map((item) => convert(item, type.of)) : value;
    case 'map':
      return isJsonObject(value) ? convertMembers(value, () => type.of) : value;
    case 'struct':
      return isJsonObject(value) ? convertMembers(value, (name) => type.fields.get(name)?.type) : value;
    case 'bool':
    case 'bytes':
    case 'string':
      return value;
  }
}

function convertMembers(object: JsonObject, typeOf: (name: string) => GoType | undefined): JsonObject {
  const converted = newJsonObject();
  for (const [name, value] of Object.entries(object)) {
    const type = typeOf(name);
    converted[name] = type === undefined ? value : convert(value, type);
  }
  return converted;
}

/**
 * Converts an object to its Go struct in the same way as Go converts unstructured maps, which differs from decoding JSON. Numbers that do
 * not fit are truncated to their lowest bits, and errors contain no path. Source: k8s.io/apimachinery/pkg/runtime/converter.go
 * `FromUnstructured` (1.37).
 */
export function fromUnstructured(object: JsonObject, kind: BuiltInKind, minor: Minor): FinishedObject {
  const fail = (error: string): FinishedObject => ({
    ok: false,
    error: `unable to convert unstructured object to ${kindText(kind)}: ${error}`,
  });
  try {
    const reading = readTyped(
      convertMembers(object, (name) => kind.type.fields.get(name)?.type),
      kind,
      minor,
    );
    return reading.ok ? reading : fail(reading.error);
  } catch (thrown) {
    if (thrown instanceof Inconvertible) return fail(thrown.message);
    throw thrown;
  }
}
