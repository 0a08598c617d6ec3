import type { CancellationToken, JsonObject, JsonValue, QuantityRules, Instant } from '#go';
import { quantityRules } from '#kube';
import type { Minor } from '#kube';
import { builtInHas } from '../minors.ts';
import { Steps } from '../steps.ts';
import type { BuiltInKind } from '../table/built-in-kind.ts';
import { OwnDecoderError, ReadingErrors } from './reading-errors.ts';
import {
  base64Text,
  decodeBase64,
  isJsonInt,
  isJsonObject,
  newJsonObject,
  floatOf,
  formatDuration,
  formatQuantity,
  formatRfc3339Micro,
  formatRfc3339Nano,
  goTrim,
  parseDuration,
  parseQuantity,
  parseTime,
  RFC3339,
  RFC3339_MICRO,
  writeJson,
} from '#go';
import type { GoType, MapType, ScalarType, GoStructField, StructType, OwnTypeName } from '../table/go-type.ts';

/** Result of decoding an object into its Go type: the object and the errors of strict decoding, or Go's message if it cannot be decoded. */
export type TypedReading =
  | {
      readonly ok: true;
      readonly object: JsonObject;
      /**
       * Errors of strict decoding without repetitions, such as `unknown field "spec.x"` and `duplicate field "spec.y"`. At most 100 errors
       * are reported.
       */
      readonly strictErrors: readonly string[];
    }
  | { readonly ok: false; readonly error: string };

/** Options of decoding a document. */
export interface TypedReadingOptions {
  /**
   * Paths of keys that occurred twice in the document, in the form that `readJson` returns. The value contains the last member for each of
   * these keys.
   */
  readonly duplicates?: readonly string[];
  /** Token by which the caller can cancel the reading. */
  readonly token?: CancellationToken;
}

/**
 * Decodes an object into its built-in Go type and returns the JSON encoding of the result. This encoding has no unknown fields, contains
 * all structs that are not pointers, and has canonical quantities. The input is not changed. Throws `Cancelled` if the token is cancelled.
 */
export function readTyped(value: JsonValue, kind: BuiltInKind, minor: Minor, options: TypedReadingOptions = {}): TypedReading {
  const errors = new ReadingErrors(builtInHas(minor, 'embeddedStructsAreNamed'), options.duplicates ?? []);
  let object: JsonObject;
  try {
    object = new TypedReader(errors, new Steps(options.token), quantityRules(minor)).struct(value, kind.type);
  } catch (error) {
    if (error instanceof OwnDecoderError) return { ok: false, error: error.message };
    throw error;
  }
  if (errors.first !== undefined) return { ok: false, error: errors.first };
  return { ok: true, object, strictErrors: errors.strictErrors };
}

/** Returns the JSON of the zero value of a Go type that has its own JSON decoder, such as `Quantity`. */
function zeroOfOwn(name: OwnTypeName): JsonValue {
  if (name === 'Quantity') return '0';
  if (name === 'IntOrString') return 0;
  return name === 'Duration' ? '0s' : null;
}

/**
 * Decodes a value of a Go type that has its own JSON decoder, such as `Quantity` or `Time`, and encodes the value again. Quantities and
 * durations become canonical, times are in UTC. Throws {@link OwnDecoderError} if the decoder rejects the value.
 */
function readOwn(value: JsonValue, name: OwnTypeName, errors: ReadingErrors, quantities: QuantityRules): JsonValue {
  switch (name) {
    case 'Quantity':
      return readQuantity(value, quantities);
    case 'IntOrString':
      return readIntOrString(value, errors);
    case 'Time':
      return readTime(value, RFC3339, (instant) => formatRfc3339Nano({ ...instant, nanos: 0 }), errors);
    case 'MicroTime':
      return readTime(value, RFC3339_MICRO, formatRfc3339Micro, errors);
    case 'Duration':
      return readDuration(value, errors);
    case 'RawExtension':
    case 'FieldsV1':
      return value;
  }
}

/**
 * Decodes a quantity, which may be a string or a number in JSON. Returns its canonical form, or the original text if Go does not change it.
 * The result for null is '0'.
 */
function readQuantity(value: JsonValue, rules: QuantityRules): JsonValue {
  if (value === null) return '0';
  const result = parseQuantity(goTrim(typeof value === 'string' ? value : numberText(value)), rules);
  if (!result.ok) throw new OwnDecoderError(result.error);
  return result.kept ?? formatQuantity(result.quantity);
}

/** Returns the JSON text of a number. For any other value, returns a text that is not a valid quantity. */
function numberText(value: JsonValue): string {
  return isJsonInt(value) || floatOf(value) !== undefined ? writeJson(value) : '{}';
}

function readIntOrString(value: JsonValue, errors: ReadingErrors): JsonValue {
  if (typeof value === 'string') return value;
  if (value === null) return 0;
  if (isJsonInt(value) && value >= -2147483648 && value <= 2147483647) return value;
  throw new OwnDecoderError(errors.mismatchText(value, { kind: 'int32', text: 'int32' }));
}

/** Go's zero time, the first day of the year 1, as seconds relative to 1970. */
const ZERO_TIME = -62135596800;

function readTime(value: JsonValue, layout: string, show: (instant: Instant) => string, errors: ReadingErrors): JsonValue {
  if (value === null) return null;
  const result = parseTime(layout, readText(value, errors));
  if (!result.ok) throw new OwnDecoderError(result.error);
  const { seconds, nanos } = result.instant;
  return seconds === ZERO_TIME && nanos === 0 ? null : show({ seconds, nanos, offset: 0 });
}

function readDuration(value: JsonValue, errors: ReadingErrors): JsonValue {
  const result = parseDuration(value === null ? '' : readText(value, errors));
  if (!result.ok) throw new OwnDecoderError(result.error);
  return formatDuration(result.nanos);
}

function readText(value: JsonValue, errors: ReadingErrors): string {
  if (typeof value === 'string') return value;
  throw new OwnDecoderError(errors.mismatchText(value, { kind: 'string', text: 'string' }));
}

/** JSON encoding of a Go value. Undefined is the encoding of nil. */
type Shown = JsonValue | undefined;

/**
 * Decoder that reads JSON into Go types and encodes the result again, in a single traversal. It decodes like sigs.k8s.io/json and encodes
 * like `runtime.DefaultUnstructuredConverter`. Source: sigs.k8s.io/json, k8s.io/apimachinery/pkg/runtime/converter.go (1.37).
 */
class TypedReader {
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
