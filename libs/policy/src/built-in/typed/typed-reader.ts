import { base64Text, decodeBase64, isJsonInt, isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue, QuantityRules } from '#go';
import type { GoType, MapType, ScalarType, GoStructField, StructType } from '../table/go-type.ts';
import type { Steps } from '../steps.ts';
import { readOwn, zeroOfOwn } from './own-types.ts';
import type { ReadingErrors } from './reading-errors.ts';

/** JSON encoding of a Go value. Undefined is the encoding of nil. */
type Shown = JsonValue | undefined;

/**
 * Decoder that reads JSON into Go types and encodes the result again, in a single traversal. It decodes like sigs.k8s.io/json and encodes
 * like `runtime.DefaultUnstructuredConverter`. Source: sigs.k8s.io/json, k8s.io/apimachinery/pkg/runtime/converter.go (1.37).
 */
export class TypedReader {
  readonly #errors: ReadingErrors;
  readonly #steps: Steps;
  readonly #quantities: QuantityRules;

  constructor(errors: ReadingErrors, steps: Steps, quantities: QuantityRules) {
    this.#errors = errors;
    this.#steps = steps;
    this.#quantities = quantities;
  }

  /** Decodes a value into a struct. Unknown fields are recorded as errors. */
  struct(value: JsonValue, type: StructType): JsonObject {
    const out = newJsonObject();
    if (isJsonObject(value)) {
      for (const key of Object.keys(value)) {
        const field = type.fields.get(key);
        if (field === undefined) {
          this.#steps.next();
          this.#errors.unknown(key);
          continue;
        }
        const shown = this.#errors.inField(type, field, () => this.#value(value[key] as JsonValue, field.type));
        if (!isLeftOut(field, shown)) out[key] = shown ?? null;
      }
    } else if (value !== null) this.#errors.mismatch(value, type);
    return withZeros(out, type);
  }

  #value(value: JsonValue, type: GoType): Shown {
    this.#steps.next();
    switch (type.kind) {
      case 'own':
        return readOwn(value, type.name, this.#errors, this.#quantities);
      case 'pointer':
        return value === null ? undefined : this.#value(value, type.to);
      case 'struct':
        return this.struct(value, type);
      case 'list':
        return this.#list(value, type, type.of);
      case 'map':
        return this.#map(value, type);
      case 'bytes':
        return this.#bytes(value, type);
      case 'bool':
      case 'int32':
      case 'int64':
      case 'string':
      case 'uint8':
        return this.#scalar(value, type);
    }
  }

  #list(value: JsonValue, type: GoType, of: GoType): Shown {
    if (Array.isArray(value)) return value.map((item, index) => this.#errors.inItem(index, () => this.#value(item, of) ?? null));
    return this.#misfit(value, type);
  }

  #map(value: JsonValue, type: MapType): Shown {
    if (!isJsonObject(value)) return this.#misfit(value, type);
    const out = newJsonObject();
    for (const key of Object.keys(value)) {
      out[key] = this.#errors.inKey(key, () => this.#value(value[key] as JsonValue, type.of) ?? null);
    }
    return out;
  }

  #bytes(value: JsonValue, type: GoType): Shown {
    if (typeof value === 'string') {
      const decoded = decodeBase64(value);
      if (decoded.ok) return base64Text(decoded.bytes);
      this.#errors.note(decoded.error);
      return undefined;
    }
    if (!Array.isArray(value)) return this.#misfit(value, type);
    const byte: ScalarType = { kind: 'uint8', text: 'uint8' };
    const items = value.map((item, index) => this.#errors.inItem(index, () => this.#scalar(item, byte)));
    return base64Text(Uint8Array.from(items, Number));
  }

  /**
   * Returns `value` if the scalar type can represent it. If not, records an error and returns the zero value. Null results in the zero
   * value without an error.
   */
  #scalar(value: JsonValue, type: ScalarType): JsonValue {
    if (value !== null) {
      if (fits(value, type.kind)) return value;
      this.#errors.mismatch(value, type);
    }
    return zeroOfScalar(type.kind);
  }

  #misfit(value: JsonValue, type: GoType): undefined {
    if (value !== null) this.#errors.mismatch(value, type);
  }
}

const RANGES: Readonly<Record<'int32' | 'int64' | 'uint8', readonly [bigint, bigint]>> = {
  uint8: [0n, 255n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
};

function fits(value: JsonValue, kind: ScalarType['kind']): boolean {
  if (kind === 'string') return typeof value === 'string';
  if (kind === 'bool') return typeof value === 'boolean';
  const [least, most] = RANGES[kind];
  return isJsonInt(value) && value >= least && value <= most;
}

function zeroOfScalar(kind: ScalarType['kind']): JsonValue {
  if (kind === 'string') return '';
  return kind === 'bool' ? false : 0;
}

/** Returns the zero value of a type. */
function zero(type: GoType): Shown {
  switch (type.kind) {
    case 'own':
      return zeroOfOwn(type.name);
    case 'struct':
      return withZeros(newJsonObject(), type);
    case 'pointer':
    case 'list':
    case 'map':
    case 'bytes':
      return undefined;
    case 'bool':
    case 'int32':
    case 'int64':
    case 'string':
    case 'uint8':
      return zeroOfScalar(type.kind);
  }
}

/** Adds the zero values of absent fields that Go always encodes. */
function withZeros(out: JsonObject, type: StructType): JsonObject {
  for (const field of type.alwaysShown) {
    if (out[field.name] === undefined) out[field.name] = zero(field.type) ?? null;
  }
  return out;
}

function isLeftOut({ omitEmpty, omitZero, type }: GoStructField, shown: Shown): boolean {
  if (omitZero && (shown === undefined || shown === null || isEmpty(shown, type))) return true;
  return omitEmpty && isEmpty(shown, type);
}

/** Returns true if Go treats a value as empty. Structs are never empty. Pointers are empty only if they are nil. */
function isEmpty(shown: Shown, type: GoType): boolean {
  if (shown === undefined) return true;
  if (type.kind === 'own' || type.kind === 'struct' || type.kind === 'pointer') return false;
  if (Array.isArray(shown)) return shown.length === 0;
  if (isJsonObject(shown)) return Object.keys(shown).length === 0;
  return shown === '' || shown === 0 || shown === false;
}
