/**
 * Value of a JSON document, without loss of information. Kubernetes distinguishes int64 and float64 (`1` and `1.0` differ, and 2^53+1 is
 * exact), so a JavaScript number alone is not enough:
 *
 * | JSON text                        | held as                                   | Go type  |
 * | -------------------------------- | ----------------------------------------- | -------- |
 * | `1`, `-7` (safe integers)        | number with `Number.isInteger` true       | int64    |
 * | `9007199254740993` (int64)       | bigint (only outside the safe range)      | int64    |
 * | `1.5`, `1e-3`                    | number with `Number.isInteger` false      | float64  |
 * | `1.0`, `1e3`, `-0.0`, 1e300      | {@link Float}                             | float64  |
 *
 * Source: sigs.k8s.io/json and k8s.io/apimachinery/pkg/util/json (1.37).
 */
export type JsonValue = null | boolean | number | bigint | string | Float | JsonValue[] | JsonObject;

/** Float64 with an integral value, such as `1.0`, `1e3` or `-0.0`. Fractional float64 values are plain numbers. */
export class Float {
  /** Value of the float64. */
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/**
 * Float64 with its original text. Go quotes this text in the error if an integer type cannot hold the value. `readSpelledJson` creates an
 * instance for each float. `readYaml` creates an instance for each integer beyond int64, which YAML stores as uint64.
 */
export class SpelledFloat extends Float {
  /** Spelling in the document: `1e3`, `18446744073709551616`. */
  readonly spelling: string;
  constructor(value: number, spelling: string) {
    super(value);
    this.spelling = spelling;
  }
}

/**
 * JSON object whose prototype chain does not contain `Object.prototype`. Therefore `__proto__`, `constructor` and `toString` are ordinary
 * own keys, and an absent key reads as `undefined`. Only {@link newJsonObject} creates such objects.
 */
export interface JsonObject {
  [key: string]: JsonValue;
}

const BareObject = function () {} as unknown as { new (): JsonObject; prototype: object };
BareObject.prototype = Object.create(null) as object;

/** Returns an empty {@link JsonObject}. Unlike the result of `Object.create(null)`, it remains in V8's fast mode. */
export function newJsonObject(): JsonObject {
  return new BareObject();
}

/** Returns true for a {@link JsonObject}: not null, not a list, not a {@link Float}. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float);
}

/** Returns the number if the value is a float64. Returns undefined if the value is an int64 or not a number. */
export function floatOf(value: JsonValue | undefined): number | undefined {
  if (value instanceof Float) return value.value;
  return typeof value === 'number' && !Number.isInteger(value) ? value : undefined;
}

/** Returns true when the value is an int64. */
export function isJsonInt(value: JsonValue | undefined): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}

/** Returns the JSON value that represents a float64: a {@link Float} if the number is integral, otherwise the number. */
export function floatValue(value: number): number | Float {
  return Number.isInteger(value) ? new Float(value) : value;
}

/** Returns the JSON value that represents an int64: a number if it is a safe integer, otherwise the bigint. */
export function intValue(value: bigint): number | bigint {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}

/** Returns a deep copy of a JSON value. */
export function copyJson<T extends JsonValue>(value: T): T;
export function copyJson(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const list: JsonValue[] = [];
    for (const item of value) list.push(copyJson(item));
    return list;
  }
  if (!isJsonObject(value)) return value;
  const copy = newJsonObject();
  for (const key of Object.keys(value)) copy[key] = copyJson(value[key] as JsonValue);
  return copy;
}

/** Function that returns the keys of an object. */
type KeysOf = (object: JsonObject) => readonly string[];

/**
 * Returns true if Go considers two JSON values equal: an int64 never equals a float64. It uses loops instead of callbacks, because values
 * may be nested 10,000 deep. Source: k8s.io/apimachinery/third_party/forked/golang/reflect (1.37).
 *
 * @param keysOf Function that returns the keys of an object. `entryKeys`, which caches keys, is allowed only if neither value is changed
 * after this call.
 */
export function deepEqualJson(a: JsonValue | undefined, b: JsonValue | undefined, keysOf: KeysOf = Object.keys): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Float || b instanceof Float) return a instanceof Float && b instanceof Float && a.value === b.value;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!deepEqualJson(a[i], b[i], keysOf)) return false;
    return true;
  }
  return deepEqualObjects(a, b, keysOf);
}

function deepEqualObjects(a: JsonObject, b: JsonObject, keysOf: KeysOf): boolean {
  const keys = keysOf(a);
  if (keys.length !== keysOf(b).length) return false;
  for (const key of keys) {
    const other = b[key];
    if (other === undefined || !deepEqualJson(a[key], other, keysOf)) return false;
  }
  return true;
}

/** Minimum number of keys for which the list of keys is cached. Listing fewer keys is faster than a cache look-up. */
const MANY = 64;

const KNOWN = new WeakMap<JsonObject, readonly string[]>();

/**
 * Returns the keys of an object in the order of `Object.keys`. The keys of large objects are cached, because the runtime traverses and
 * sorts a large object each time it lists the keys. After this call, no entry may be added to or removed from the object.
 */
export function entryKeys(object: JsonObject): readonly string[] {
  const known = KNOWN.get(object);
  if (known !== undefined) return known;
  const keys = Object.keys(object);
  if (keys.length >= MANY) KNOWN.set(object, keys);
  return keys;
}

/** Returns the number of entries of an object. See {@link entryKeys}. */
export const entryCount = (object: JsonObject): number => entryKeys(object).length;
