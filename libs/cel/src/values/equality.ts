import { deepEqualJson, entryKeys, equalBytes, Float, isJsonObject, SeededSet } from '#go';
import type { JsonValue } from '#go';
import { CelError, Duration, NO_SUCH_OVERLOAD, noSuchOverload, Optional, Timestamp, TypeValue, Uint } from './value.ts';
import type { CelList, CelMap, CelValue } from './value.ts';
import { JsonMap } from './json-view.ts';
import { addToRawSet, equalRawSets, scalarKey } from './raw-sets.ts';
import type { ScalarKey } from './raw-sets.ts';
import { escapeFieldName } from './schema/field-name.ts';
import type { LibraryValue } from './library-value.ts';
import { ConcatList, MergedList } from './list.ts';
import { orderNumbers } from './ordering.ts';
import { doubleOf, isList, isMap } from './type-of.ts';
import { keysIn } from './evaluation-context.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { equalTyped, isTyped, TypedList, TypedMap, TypedStruct } from './typed-view.ts';
import { RawList, RawMap, rawOf, wrapValue } from './wrap.ts';

/**
 * Returns `a == b`. null equals only null, and numbers of different types can be equal. Source: cel-go common/types/util.go `Equal`
 * (v0.29.2).
 */
export function equal(context: EvaluationContext, a: CelValue, b: CelValue): boolean | CelError {
  if (a === null || b === null) return a === b;
  return equalValues(context, a, b);
}

/**
 * Compares two CEL values by the rules of the left value's type. If `a` is a list or map from a Kubernetes object and `b` has another type,
 * the result is `no such overload`. If a CEL operation created the list or map `a`, the result is false instead. Source: the `Equal`
 * methods of cel-go common/types and of k8s.io/apiserver/pkg/cel/common/valuesunstructured.go.
 */
export function equalValues(context: EvaluationContext, a: CelValue, b: CelValue): boolean | CelError {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- objects follow below
  switch (typeof a) {
    case 'string':
    case 'boolean':
      return a === b;
    case 'number':
    case 'bigint':
      return typeof a === typeof b ? a === b : !isNaNDouble(a) && !isNaNDouble(b) && orderNumbers(a, b) === 0;
  }
  if (a === null) return b === null;
  if (a instanceof CelError) return a;
  if (a instanceof Float || a instanceof Uint) return !isNaNDouble(b) && orderNumbers(a, b) === 0;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.seconds === b.seconds && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b);
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Optional) return equalOptionals(context, a, b);
  if (isList(a)) return equalLists(context, a, b);
  if (isMap(a)) return equalMaps(context, a, b);
  return (a as LibraryValue).equalTo(b, context);
}

function isNaNDouble(value: CelValue): boolean {
  const double = doubleOf(value);
  return double !== undefined && Number.isNaN(double);
}

function equalOptionals(context: EvaluationContext, a: Optional, b: CelValue): boolean | CelError {
  if (!(b instanceof Optional)) return false;
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equalValues(context, a.value, b.value);
}

function equalLists(context: EvaluationContext, a: CelList, b: CelValue): boolean | CelError {
  if (a instanceof TypedList) return isList(b) ? a.size === b.size && equalInOrder(context, a, b) === true : noSuchOverload(b);
  if (a instanceof RawList || a instanceof MergedList) {
    if (!isList(b)) return noSuchOverload(b);
    if (a.size !== b.size) return false;
    if (a instanceof RawList) {
      if (a.schema.listType === 'set') return equalSets(context, a, b);
      return a.schema.listType === 'map' ? equalMapList(context, a, b) : equalInOrder(context, a, b);
    }
    return a.keys === undefined ? equalSets(context, a, b) : equalMerged(context, a, a.keys, b);
  }
  if (!isList(b) || a.size !== b.size) return false;
  let error: CelError | undefined;
  const size = a.size;
  for (let i = 0; i < size; i++) {
    context.poll();
    const same = equal(context, a.at(i), b.at(i));
    if (same === false) return false;
    if (same !== true) error ??= same;
  }
  return a instanceof ConcatList && a.delegates ? (error ?? true) : true;
}

function equalInOrder(context: EvaluationContext, a: CelList, b: CelList): boolean | CelError {
  const size = a.size;
  for (let i = 0; i < size; i++) {
    context.poll();
    const same = equalValues(context, a.at(i), b.at(i));
    if (same !== true) return same;
  }
  return true;
}

const SET_OF_COMPOUNDS = new CelError('listSet operations are only supported on lists of scalar values');

/**
 * Returns a key that identifies a scalar in a set. Lists and maps have no such key, and the result is an error. Source: valuesreflect.go
 * `setElementKey` (1.37).
 */
function setElementKey(element: CelValue): ScalarKey {
  if (isList(element) || isMap(element)) return SET_OF_COMPOUNDS;
  return scalarKey(element);
}

function equalSets(context: EvaluationContext, a: CelList, b: CelList): boolean | CelError {
  if (context.semantics.setsAreRaw) return equalRawSets(context, a, b);
  const members = new SeededSet();
  for (let i = 0; i < a.size; i++) {
    context.poll();
    const key = setElementKey(a.at(i));
    if (key === SET_OF_COMPOUNDS) return SET_OF_COMPOUNDS;
    members.add(key);
  }
  const seen = new SeededSet();
  for (let i = 0; i < b.size; i++) {
    context.poll();
    const key = setElementKey(b.at(i));
    if (key === SET_OF_COMPOUNDS) return SET_OF_COMPOUNDS;
    if (!members.has(key)) return false;
    seen.add(key);
  }
  return context.semantics.duplicatesHide || seen.size === members.size;
}

/**
 * Returns the union of the set `a` and the list `b`. The elements of `a` come first, followed by the elements of `b` that are not in `a`,
 * in their order.
 */
export function addToSet(context: EvaluationContext, a: CelList, b: CelList): CelValue {
  if (context.semantics.setsAreRaw) return addToRawSet(context, a, b);
  const members = new SeededSet();
  const elements: CelValue[] = [];
  for (let i = 0; i < a.size; i++) {
    context.poll();
    const element = a.at(i);
    const key = setElementKey(element);
    if (key === SET_OF_COMPOUNDS) return SET_OF_COMPOUNDS;
    members.add(key);
    elements.push(element);
  }
  for (let i = 0; i < b.size; i++) {
    context.poll();
    const element = b.at(i);
    const key = setElementKey(element);
    if (key === SET_OF_COMPOUNDS) return SET_OF_COMPOUNDS;
    if (members.has(key)) continue;
    members.add(key);
    elements.push(element);
  }
  return new MergedList(elements, undefined);
}

/**
 * Returns the names of the key fields of a map list in the form in which upstream looks them up. Upstream escapes the names, so it does not
 * find raw fields whose names need escaping (a known defect).
 */
export function escapedKeys(names: readonly string[]): readonly string[] {
  return names.map((name) => escapeFieldName(name) ?? name);
}

function rawKeyPart(raw: JsonValue | undefined): string {
  if (raw === undefined || raw === null) return 'nil';
  if (raw instanceof Float) return `d${raw.value}`;
  if (typeof raw === 'object') return `o${JSON.stringify(raw, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))}`;
  return `${typeof raw === 'bigint' ? 'number' : typeof raw}:${raw}`;
}

/**
 * Returns a key that identifies an element of a map list by its raw data. Each element that is not an object has a unique key, so that it
 * equals no other element.
 */
function rawMapKey(element: JsonValue | undefined, keys: readonly string[]): ScalarKey {
  if (!isJsonObject(element)) return {};
  return keys.length === 1 ? rawKeyPart(element[keys[0] as string]) : JSON.stringify(keys.map((key) => rawKeyPart(element[key])));
}

/** Returns a key that identifies an element of a map list by its CEL fields. Source: valuesreflect.go `refValMapKey` (1.37). */
function celMapKey(context: EvaluationContext, element: CelValue, keys: readonly string[]): ScalarKey {
  if (context.semantics.keysAreRaw) return rawMapKey(element instanceof RawMap ? element.raw : undefined, keys);
  const part = (key: string): string => {
    const value = isMap(element) ? element.get(key) : undefined;
    if (value === undefined || value === null || value instanceof CelError) return 'nil';
    const scalar = scalarKey(value);
    return typeof scalar === 'object' ? `o${JSON.stringify(rawOf(value) ?? null)}` : `${typeof scalar}:${String(scalar)}`;
  };
  return keys.length === 1 ? part(keys[0] as string) : JSON.stringify(keys.map(part));
}

function equalMapList(context: EvaluationContext, a: RawList, b: CelList): boolean | CelError {
  const keys = escapedKeys(a.schema.listMapKeys);
  const elements = new Map<ScalarKey, JsonValue>();
  for (const raw of a.raw) elements.set(rawMapKey(raw, keys), raw);
  const seen = new SeededSet();
  for (let i = 0; i < b.size; i++) {
    context.poll();
    const other = b.at(i);
    const key = rawMapKey(other instanceof RawMap || other instanceof JsonMap ? other.raw : undefined, keys);
    const own = elements.get(key);
    if (own === undefined) return false;
    const same = equalValues(context, wrapValue(own, a.items), other);
    if (same !== true) return same;
    seen.add(key);
  }
  return context.semantics.duplicatesHide || seen.size === elements.size;
}

function equalMerged(context: EvaluationContext, a: MergedList, keys: readonly string[], b: CelList): boolean | CelError {
  const elements = new Map<ScalarKey, CelValue>();
  for (const element of a.elements) elements.set(celMapKey(context, element, keys), element);
  const seen = new SeededSet();
  for (let i = 0; i < b.size; i++) {
    context.poll();
    const other = b.at(i);
    const key = celMapKey(context, other, keys);
    const own = elements.get(key);
    if (own === undefined) return false;
    const same = equalValues(context, own, other);
    if (same !== true) return same;
    seen.add(key);
  }
  return context.semantics.duplicatesHide || seen.size === elements.size;
}

/**
 * Returns the map list `a` merged with the list `b`. Elements are identified by the fields `keys`. An element of `b` whose key exists in
 * `a` replaces the element of `a`. All other elements of `b` are appended.
 */
export function addToMapList(context: EvaluationContext, a: CelList, b: CelList, keys: readonly string[]): CelValue {
  const elements: CelValue[] = [];
  const positions = new Map<ScalarKey, number>();
  for (let i = 0; i < a.size; i++) {
    context.poll();
    const element = a.at(i);
    positions.set(celMapKey(context, element, keys), i);
    elements.push(element);
  }
  for (let i = 0; i < b.size; i++) {
    context.poll();
    const element = b.at(i);
    const position = positions.get(celMapKey(context, element, keys));
    if (position === undefined) elements.push(element);
    else elements[position] = element;
  }
  return new MergedList(elements, keys);
}

function equalMaps(context: EvaluationContext, a: CelMap, b: CelValue): boolean | CelError {
  if (a instanceof RawMap) return equalRawMap(context, a, b);
  if (a instanceof TypedMap) return isMap(b) ? equalEntries(context, a, b) === true : noSuchOverload(b);
  if (a instanceof TypedStruct) return equalStructs(context, a, b);
  if (!isMap(b) || a.size !== b.size) return false;
  for (const key of a.keys()) {
    context.poll();
    const other = b.get(key);
    if (other === undefined || equal(context, a.get(key) as CelValue, other) === false) return false;
  }
  return true;
}

/**
 * Compares a struct with another value. Two structs are equal only if their types are the same, and their fields are compared as in Go. A
 * struct and another map are compared entry by entry.
 */
function equalStructs(context: EvaluationContext, a: TypedStruct, b: CelValue): boolean | CelError {
  if (b instanceof TypedStruct) return a.type.name === b.type.name && equalTyped(context, a.raw, b.raw, a.type);
  return isMap(b) ? equalEntries(context, a, b) : noSuchOverload(b);
}

/** Compares two maps entry by entry. Stops at the first entry that differs or that cannot be compared. */
function equalEntries(context: EvaluationContext, a: CelMap, b: CelMap): boolean | CelError {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    context.poll();
    const own = a.get(key);
    const other = b.get(key);
    if (own === undefined || other === undefined) return false;
    const same = equalValues(context, own, other);
    if (same !== true) return same;
  }
  return true;
}

/**
 * Compares a map that wraps raw data with another value. Fields with a schema are compared as CEL values. Fields without a schema are
 * compared as JSON, unless `b` lacks the field.
 */
function equalRawMap(context: EvaluationContext, a: RawMap, b: CelValue): boolean | CelError {
  if (!isMap(b)) return noSuchOverload(b);
  if (a.size !== b.size) return false;
  for (const key of entryKeys(a.raw)) {
    context.poll();
    if (a.schemaOf(key) === undefined) {
      if (!(b instanceof RawMap)) return NO_SUCH_OVERLOAD;
      const other = b.raw[key];
      if (other !== undefined && !deepEqualJson(a.raw[key], other, keysIn(context))) return false;
      continue;
    }
    const own = a.get(key);
    const other = b.get(key);
    if ((own === undefined) !== (other === undefined)) return false;
    if (own === undefined || other === undefined) {
      if (context.semantics.nullFieldsDiffer) return false;
      continue;
    }
    const same = equalValues(context, own, other);
    if (same !== true) return same;
  }
  return true;
}

/**
 * Returns true if a list contains a value. If no element equals the value but a comparison failed, the result for a `RawList` (a list of an
 * object's data) is the first error. All other lists ignore such errors.
 */
export function listContains(context: EvaluationContext, list: CelList, value: CelValue): boolean | CelError {
  if (list instanceof ConcatList && list.delegates) {
    const left = listContains(context, list.left, value);
    if (left === true) return true;
    const right = listContains(context, list.right, value);
    return right !== true && left !== false ? left : right;
  }
  const size = list.size;
  if (list instanceof TypedList) {
    for (let i = 0; i < size; i++) {
      context.poll();
      if (equalValues(context, list.at(i), value) === true) return true;
    }
    return false;
  }
  if (!(list instanceof RawList)) {
    for (let i = 0; i < size; i++) {
      context.poll();
      if (equalValues(context, value, list.at(i)) === true) return true;
    }
    return false;
  }
  let error: CelError | undefined;
  for (let i = 0; i < size; i++) {
    context.poll();
    const same = equalValues(context, list.at(i), value);
    if (same === true) return true;
    if (same !== false) error ??= same;
  }
  return error ?? false;
}

/** Returns true if a map has a key. For maps that wrap an object's data, the result is an error if the look-up of the key fails. */
export function mapContains(map: CelMap, key: CelValue): boolean | CelError {
  const value = map.get(key);
  if ((map instanceof RawMap || isTyped(map)) && value instanceof CelError) return value;
  return value !== undefined;
}
