import { deepEqualJson, Float, isJsonObject } from '#go';
import type { JsonValue } from '#go';
import { NO_SUCH_OVERLOAD, noSuchOverload } from './errors.ts';
import { escapeFieldName } from './field-name.ts';
import type { LibraryValue } from './library-value.ts';
import { ConcatList, MergedList } from './list.ts';
import { orderNumbers } from './ordering.ts';
import { poll } from './poll.ts';
import { doubleOf, isList, isMap } from './type-of.ts';
import { runtimeTypeName } from './types/format.ts';
import { rulesInForce } from './value-rules.ts';
import { CelError, Duration, Optional, Timestamp, TypeValue, Uint } from './value.ts';
import type { CelList, CelMap, CelValue } from './value.ts';
import { RawList, RawMap, rawOf, wrapValue } from './wrap.ts';

/** `a == b`: null equals null only, numbers compare across types. Source: cel-go common/types/util.go `Equal` (v0.29.2). */
export function equal(a: CelValue, b: CelValue): boolean | CelError {
  if (a === null || b === null) return a === b;
  return equalValues(a, b);
}

/**
 * What the left value's own type says of equality: lists and maps of objects answer `no such overload` for other types, where those made by CEL
 * say false. Source: the `Equal` methods of cel-go common/types and of k8s.io/apiserver/pkg/cel/common/valuesunstructured.go.
 */
export function equalValues(a: CelValue, b: CelValue): boolean | CelError {
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
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof TypeValue) return b instanceof TypeValue && runtimeTypeName(a.type) === runtimeTypeName(b.type);
  if (a instanceof Optional) return equalOptionals(a, b);
  if (isList(a)) return equalLists(a, b);
  if (isMap(a)) return equalMaps(a, b);
  return (a as LibraryValue).equalTo(b);
}

function isNaNDouble(value: CelValue): boolean {
  const double = doubleOf(value);
  return double !== undefined && Number.isNaN(double);
}

function equalOptionals(a: Optional, b: CelValue): boolean | CelError {
  if (!(b instanceof Optional)) return false;
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equalValues(a.value, b.value);
}

function equalLists(a: CelList, b: CelValue): boolean | CelError {
  if (a instanceof RawList || a instanceof MergedList) {
    if (!isList(b)) return noSuchOverload(b);
    if (a.size !== b.size) return false;
    if (a instanceof RawList) {
      if (a.schema.listType === 'set') return equalSets(a, b);
      return a.schema.listType === 'map' ? equalMapList(a, b) : equalInOrder(a, b);
    }
    return a.keys === undefined ? equalSets(a, b) : equalMerged(a, a.keys, b);
  }
  if (!isList(b) || a.size !== b.size) return false;
  let error: CelError | undefined;
  const size = a.size;
  for (let i = 0; i < size; i++) {
    poll();
    const same = equal(a.at(i), b.at(i));
    if (same === false) return false;
    if (same !== true) error ??= same;
  }
  return a instanceof ConcatList && a.delegates ? (error ?? true) : true;
}

function equalInOrder(a: CelList, b: CelList): boolean | CelError {
  const size = a.size;
  for (let i = 0; i < size; i++) {
    poll();
    const same = equalValues(a.at(i), b.at(i));
    if (same !== true) return same;
  }
  return true;
}

const SET_OF_COMPOUNDS = new CelError('listSet operations are only supported on lists of scalar values');

type HashKey = string | number | bigint | boolean | null | object;

/** What tells a scalar from others in a set; an error for lists and maps. Source: valuesreflect.go `setElementKey` (1.37). */
function setElementKey(element: CelValue): HashKey {
  if (isList(element) || isMap(element)) return SET_OF_COMPOUNDS;
  return scalarKey(element);
}

function scalarKey(value: CelValue): HashKey {
  if (typeof value === 'string') return `"${value}`;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Float) return `d${value.value}`;
  if (value instanceof Uint) return `u${value.value}`;
  if (value instanceof Timestamp) return `t${value.seconds}.${value.nanos}.${value.offset}`;
  if (value instanceof Duration) return `n${value.nanos}`;
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('latin1')}`;
  return value;
}

function equalSets(a: CelList, b: CelList): boolean | CelError {
  const members = new Set<HashKey>();
  for (let i = 0; i < a.size; i++) {
    poll();
    const key = setElementKey(a.at(i));
    if (key === SET_OF_COMPOUNDS) return SET_OF_COMPOUNDS;
    members.add(key);
  }
  const seen = new Set<HashKey>();
  for (let i = 0; i < b.size; i++) {
    poll();
    const key = setElementKey(b.at(i));
    if (key === SET_OF_COMPOUNDS) return SET_OF_COMPOUNDS;
    if (!members.has(key)) return false;
    seen.add(key);
  }
  return rulesInForce().duplicatesHide || seen.size === members.size;
}

/** Union of a set and a list, in order. */
export function addToSet(a: CelList, b: CelList): CelValue {
  const members = new Set<HashKey>();
  const elements: CelValue[] = [];
  for (let i = 0; i < a.size; i++) {
    poll();
    const element = a.at(i);
    const key = setElementKey(element);
    if (key === SET_OF_COMPOUNDS) return SET_OF_COMPOUNDS;
    members.add(key);
    elements.push(element);
  }
  for (let i = 0; i < b.size; i++) {
    poll();
    const element = b.at(i);
    const key = setElementKey(element);
    if (key === SET_OF_COMPOUNDS) return SET_OF_COMPOUNDS;
    if (members.has(key)) continue;
    members.add(key);
    elements.push(element);
  }
  return new MergedList(elements, undefined);
}

/** Key names of a map list as upstream looks them up: escaped, which misses raw names that need escaping (a known defect). */
export function escapedKeys(names: readonly string[]): readonly string[] {
  return names.map((name) => escapeFieldName(name) ?? name);
}

function rawKeyPart(raw: JsonValue | undefined): string {
  if (raw === undefined || raw === null) return 'nil';
  if (raw instanceof Float) return `d${raw.value}`;
  if (typeof raw === 'object') return `o${JSON.stringify(raw, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))}`;
  return `${typeof raw === 'bigint' ? 'number' : typeof raw}:${raw}`;
}

/** The identity of an element of a map list by its raw data; an object of its own when it is no object, so that it equals nothing. */
function rawMapKey(element: JsonValue | undefined, keys: readonly string[]): HashKey {
  if (!isJsonObject(element)) return {};
  return keys.length === 1 ? rawKeyPart(element[keys[0] as string]) : JSON.stringify(keys.map((key) => rawKeyPart(element[key])));
}

/** The identity of an element by its CEL fields. Source: valuesreflect.go `refValMapKey` (1.37). */
function celMapKey(element: CelValue, keys: readonly string[]): HashKey {
  if (rulesInForce().keysAreRaw) return rawMapKey(element instanceof RawMap ? element.raw : undefined, keys);
  const part = (key: string): string => {
    const value = isMap(element) ? element.get(key) : undefined;
    if (value === undefined || value === null || value instanceof CelError) return 'nil';
    const scalar = scalarKey(value);
    return typeof scalar === 'object' ? `o${JSON.stringify(rawOf(value) ?? null)}` : `${typeof scalar}:${String(scalar)}`;
  };
  return keys.length === 1 ? part(keys[0] as string) : JSON.stringify(keys.map(part));
}

function equalMapList(a: RawList, b: CelList): boolean | CelError {
  const keys = escapedKeys(a.schema.listMapKeys);
  const elements = new Map<HashKey, JsonValue>();
  for (const raw of a.raw) elements.set(rawMapKey(raw, keys), raw);
  const seen = new Set<HashKey>();
  for (let i = 0; i < b.size; i++) {
    poll();
    const other = b.at(i);
    const key = rawMapKey(other instanceof RawMap ? other.raw : undefined, keys);
    const own = elements.get(key);
    if (own === undefined) return false;
    const same = equalValues(wrapValue(own, a.items), other);
    if (same !== true) return same;
    seen.add(key);
  }
  return rulesInForce().duplicatesHide || seen.size === elements.size;
}

function equalMerged(a: MergedList, keys: readonly string[], b: CelList): boolean | CelError {
  const elements = new Map<HashKey, CelValue>();
  for (const element of a.elements) elements.set(celMapKey(element, keys), element);
  const seen = new Set<HashKey>();
  for (let i = 0; i < b.size; i++) {
    poll();
    const other = b.at(i);
    const key = celMapKey(other, keys);
    const own = elements.get(key);
    if (own === undefined) return false;
    const same = equalValues(own, other);
    if (same !== true) return same;
    seen.add(key);
  }
  return rulesInForce().duplicatesHide || seen.size === elements.size;
}

/** Merge of a map list and a list: elements with a known key replace in place, others are appended. */
export function addToMapList(a: CelList, b: CelList, keys: readonly string[]): CelValue {
  const elements: CelValue[] = [];
  const positions = new Map<HashKey, number>();
  for (let i = 0; i < a.size; i++) {
    poll();
    const element = a.at(i);
    positions.set(celMapKey(element, keys), i);
    elements.push(element);
  }
  for (let i = 0; i < b.size; i++) {
    poll();
    const element = b.at(i);
    const position = positions.get(celMapKey(element, keys));
    if (position === undefined) elements.push(element);
    else elements[position] = element;
  }
  return new MergedList(elements, keys);
}

function equalMaps(a: CelMap, b: CelValue): boolean | CelError {
  if (a instanceof RawMap) return equalRawMap(a, b);
  if (!isMap(b) || a.size !== b.size) return false;
  for (const key of a.keys()) {
    poll();
    const other = b.get(key);
    if (other === undefined || equal(a.get(key) as CelValue, other) === false) return false;
  }
  return true;
}

/**
 * Known fields compare through CEL; an unknown field only where the other side has it too, by deep equality.
 */
function equalRawMap(a: RawMap, b: CelValue): boolean | CelError {
  if (!isMap(b)) return noSuchOverload(b);
  if (a.size !== b.size) return false;
  for (const key of Object.keys(a.raw)) {
    poll();
    if (a.schemaOf(key) === undefined) {
      if (!(b instanceof RawMap)) return NO_SUCH_OVERLOAD;
      const other = b.raw[key];
      if (other !== undefined && !deepEqualJson(a.raw[key], other)) return false;
      continue;
    }
    const own = a.get(key);
    const other = b.get(key);
    if ((own === undefined) !== (other === undefined)) return false;
    if (own === undefined || other === undefined) {
      if (rulesInForce().nullFieldsDiffer) return false;
      continue;
    }
    const same = equalValues(own, other);
    if (same !== true) return same;
  }
  return true;
}

/** Whether a list holds a value: lists of objects report errors of comparison when nothing matches, lists made by CEL do not. */
export function listContains(list: CelList, value: CelValue): boolean | CelError {
  if (list instanceof ConcatList && list.delegates) {
    const left = listContains(list.left, value);
    if (left === true) return true;
    const right = listContains(list.right, value);
    return right !== true && left !== false ? left : right;
  }
  const size = list.size;
  if (!(list instanceof RawList)) {
    for (let i = 0; i < size; i++) {
      poll();
      if (equalValues(value, list.at(i)) === true) return true;
    }
    return false;
  }
  let error: CelError | undefined;
  for (let i = 0; i < size; i++) {
    poll();
    const same = equalValues(list.at(i), value);
    if (same === true) return true;
    if (same !== false) error ??= same;
  }
  return error ?? false;
}

/** Whether a map holds a key. */
export function mapContains(map: CelMap, key: CelValue): boolean | CelError {
  const value = map.get(key);
  if (map instanceof RawMap && value instanceof CelError) return value;
  return value !== undefined;
}
