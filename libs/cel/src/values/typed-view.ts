import { compareQuantities, deepEqualJson, entryCount, entryKeys, isJsonObject, parseQuantity } from '#go';
import type { JsonObject, JsonValue, QuantityRules } from '#go';
import { keysIn } from './evaluation-context.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { goTypeOf, otherGoType } from './go-type.ts';
import type { GoTypeNaming } from './go-type.ts';
import { viewJson } from './json-view.ts';
import type { ValueSchema } from './schema/value-schema.ts';
import { CelError } from './value.ts';
import type { CelList, CelMap, CelValue } from './value.ts';

/**
 * Description of the Go type of typed data. The types of built-in kinds in `#policy/built-in` have this form. Types of the kind `own` have
 * their own JSON encoding and are identified by name.
 */
export type DataType =
  | DataStruct
  | { readonly kind: 'pointer'; readonly to: DataType }
  | { readonly kind: 'list'; readonly of: DataType }
  | { readonly kind: 'map'; readonly of: DataType }
  | { readonly kind: 'own'; readonly name: string }
  | { readonly kind: 'string' | 'bool' | 'int32' | 'int64' | 'uint8' | 'bytes' };

/** Description of a Go struct. Structs with the same name are the same type. */
export interface DataStruct {
  readonly kind: 'struct';
  readonly name: string;
  readonly fields: ReadonlyMap<string, { readonly type: DataType }>;
}

/**
 * Returns the CEL value that represents data of a Go type. Since 1.37, the API server accesses such data through reflection. `raw` is the
 * JSON of the data.
 *
 * Lists, maps and structs become views with their own rules for equality, keys and indices. Scalars keep their JSON form. Source:
 * k8s.io/apiserver/pkg/cel/common/valuesschemalesstyped.go (1.37).
 */
export function viewTyped(raw: JsonValue, type: DataType): CelValue {
  if (raw === null) return null;
  switch (type.kind) {
    case 'pointer':
      return viewTyped(raw, type.to);
    case 'list':
      return Array.isArray(raw) ? new TypedList(raw, type.of) : viewJson(raw);
    case 'map':
      return isJsonObject(raw) ? new TypedMap(raw, type.of) : viewJson(raw);
    case 'struct':
      return isJsonObject(raw) ? new TypedStruct(raw, type) : viewJson(raw);
    case 'bool':
    case 'bytes':
    case 'int32':
    case 'int64':
    case 'own':
    case 'string':
    case 'uint8':
      return viewJson(raw);
  }
}

/** CEL list over the JSON of data that the API server stores in a Go slice. `of` is the Go type of the elements. */
export class TypedList implements CelList {
  readonly kind = 'list';
  readonly schema: ValueSchema | undefined = undefined;
  readonly goType = '*common.reflectSchemalessTypedList';
  readonly raw: readonly JsonValue[];
  readonly of: DataType;
  constructor(raw: readonly JsonValue[], of: DataType) {
    this.raw = raw;
    this.of = of;
  }
  get size(): number {
    return this.raw.length;
  }
  at(index: number): CelValue {
    return viewTyped(this.raw[index] as JsonValue, this.of);
  }
  /** Returns the error for an index that is no int. A uint or double is rejected even if it is integral. */
  static wrongIndex(index: CelValue): CelError {
    return new CelError(`unsupported index type: ${otherGoType(index)}`);
  }
}

/** Returns the error for a key that is no string, and that may be a list or a map. */
export function wrongTypedKey(key: CelValue, naming: GoTypeNaming): CelError {
  return new CelError(`unsupported map key type: ${goTypeOf(key, naming)}`);
}

/** Returns the error for a key that is no string, list or map. */
function wrongKey(key: CelValue): CelError {
  return key instanceof CelError ? key : new CelError(`unsupported map key type: ${otherGoType(key)}`);
}

/** CEL map over the JSON of data that the API server stores in a Go map. `of` is the Go type of the map's values. */
export class TypedMap implements CelMap {
  readonly kind = 'map';
  readonly schema: ValueSchema | undefined = undefined;
  readonly goType = '*common.reflectSchemalessTypedMap';
  readonly raw: JsonObject;
  readonly of: DataType;
  constructor(raw: JsonObject, of: DataType) {
    this.raw = raw;
    this.of = of;
  }
  get size(): number {
    return entryCount(this.raw);
  }
  get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return wrongKey(key);
    const raw = this.raw[key];
    return raw === undefined ? undefined : viewTyped(raw, this.of);
  }
  keys(): Iterable<CelValue> {
    return entryKeys(this.raw);
  }
}

/**
 * CEL map over data that the API server stores in a Go struct, with the struct's fields as keys. Two structs are compared by Go's rules,
 * see `equalTyped`. If only one of two compared values is a struct, they are compared as maps.
 */
export class TypedStruct implements CelMap {
  readonly kind = 'map';
  readonly schema: ValueSchema | undefined = undefined;
  readonly goType = '*common.reflectSchemalessTypedStruct';
  readonly raw: JsonObject;
  readonly type: DataStruct;
  constructor(raw: JsonObject, type: DataStruct) {
    this.raw = raw;
    this.type = type;
  }
  get size(): number {
    return entryCount(this.raw);
  }
  get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return wrongKey(key);
    const raw = this.raw[key];
    const field = raw === undefined ? undefined : this.type.fields.get(key);
    return raw === undefined || field === undefined ? undefined : viewTyped(raw, field.type);
  }
  keys(): Iterable<CelValue> {
    return entryKeys(this.raw);
  }
}

/** Returns true if a value is a CEL list, map or struct that is a view of typed Go data. */
export function isTyped(value: CelValue): value is TypedList | TypedMap | TypedStruct {
  return value instanceof TypedList || value instanceof TypedMap || value instanceof TypedStruct;
}

/**
 * Returns true if two values of the same Go type are equal by `equality.Semantic.DeepEqual`.
 *
 * Quantities are compared by value. An absent list or map equals an empty one. A nil pointer equals only nil. `undefined` and null
 * represent fields that the JSON omits. Source: k8s.io/apimachinery/pkg/api/equality/semantic.go,
 * third_party/forked/golang/reflect/deep_equal.go (1.37).
 */
export function equalTyped(context: EvaluationContext, a: JsonValue | undefined, b: JsonValue | undefined, type: DataType): boolean {
  context.poll();
  switch (type.kind) {
    case 'pointer':
      return isNil(a) || isNil(b) ? isNil(a) && isNil(b) : equalTyped(context, a, b, type.to);
    case 'struct':
      for (const [name, field] of type.fields) {
        if (!equalTyped(context, memberOf(a, name), memberOf(b, name), field.type)) return false;
      }
      return true;
    case 'list':
      return equalLists(context, a, b, type.of);
    case 'map':
      return equalMaps(context, a, b, type.of);
    case 'own':
      return type.name === 'Quantity'
        ? equalQuantities(a, b, context.semantics.quantities)
        : deepEqualJson(a ?? null, b ?? null, keysIn(context));
    case 'bool':
    case 'bytes':
    case 'int32':
    case 'int64':
    case 'string':
    case 'uint8':
      return equalScalars(a, b);
  }
}

const isNil = (value: JsonValue | undefined): boolean => value === undefined || value === null;

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

function equalLists(context: EvaluationContext, a: JsonValue | undefined, b: JsonValue | undefined, of: DataType): boolean {
  const left = Array.isArray(a) ? a : [];
  const right = Array.isArray(b) ? b : [];
  return left.length === right.length && left.every((item, index) => equalTyped(context, item, right[index], of));
}

function equalMaps(context: EvaluationContext, a: JsonValue | undefined, b: JsonValue | undefined, of: DataType): boolean {
  const left = isJsonObject(a) ? a : {};
  const right = isJsonObject(b) ? b : {};
  if (entryCount(left) !== entryCount(right)) return false;
  return entryKeys(left).every((key) => Object.hasOwn(right, key) && equalTyped(context, left[key], right[key], of));
}

function equalQuantities(a: JsonValue | undefined, b: JsonValue | undefined, rules: QuantityRules): boolean {
  const left = parseQuantity(typeof a === 'string' ? a : '0', rules);
  const right = parseQuantity(typeof b === 'string' ? b : '0', rules);
  return left.ok && right.ok && compareQuantities(left.quantity, right.quantity) === 0;
}

/** Compares scalars and bytes. An omitted value equals an empty value. */
function equalScalars(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
  return deepEqualJson(a, b, entryKeys);
}

const isEmpty = (value: JsonValue | undefined): boolean => isNil(value) || value === '' || value === 0 || value === false;
