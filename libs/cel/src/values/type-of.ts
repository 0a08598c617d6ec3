import { Float } from '#go';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  runtimeTypeName,
  STRING,
  TIMESTAMP,
  UINT,
} from './types/type.ts';
import type { CelType } from './types/type.ts';
import { CelError, Duration, Optional, Timestamp, TypeValue, Uint } from './value.ts';
import type { CelList, CelMap, CelValue } from './value.ts';

const LIST: CelType = listOf(DYN);
const MAP: CelType = mapOf(DYN, DYN);
const OPTIONAL: CelType = optionalOf(DYN);
const TYPE: CelType = { kind: 'type', of: undefined };
const ERROR: CelType = { kind: 'error' };

/** Returns true if the value is a CEL list. */
export function isList(value: CelValue): value is CelList {
  return typeof value === 'object' && value !== null && (value as CelList).kind === 'list';
}

/** Returns true if the value is a CEL map. An object that has a schema is also a CEL map. */
export function isMap(value: CelValue): value is CelMap {
  return typeof value === 'object' && value !== null && (value as CelMap).kind === 'map';
}

/**
 * Returns true if the value is a CEL int. An int is an integral JavaScript number in the safe range, and a bigint outside of it. Doubles
 * are instances of `Float` or non-integral numbers.
 */
export function isInt(value: CelValue): value is number | bigint {
  return typeof value === 'number' ? Number.isInteger(value) : typeof value === 'bigint';
}

/**
 * Emits code for an expression that is a branch of `?:` or an index key. If the expression is a chain of selections, such as `a.b[c]`, the
 * code does not charge the base cost of one unit for a chain.
 */
export function doubleOf(value: CelValue): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? undefined : value;
  return value instanceof Float ? value.value : undefined;
}

/** Returns the run-time type of a value. Type parameters of lists, maps and optionals are erased to dyn. */
export function typeOfValue(value: CelValue): CelType {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- objects follow below
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'boolean':
      return BOOL;
    case 'number':
      return Number.isInteger(value) ? INT : DOUBLE;
    case 'bigint':
      return INT;
  }
  if (value === null) return NULL;
  if (value instanceof Float) return DOUBLE;
  if (value instanceof Uint) return UINT;
  if (value instanceof Timestamp) return TIMESTAMP;
  if (value instanceof Duration) return DURATION;
  if (value instanceof Uint8Array) return BYTES;
  if (value instanceof Optional) return OPTIONAL;
  if (value instanceof TypeValue) return TYPE;
  if (value instanceof CelError) return ERROR;
  if (isList(value)) return LIST;
  if (isMap(value)) return MAP;
  return value.celType;
}

/**
 * Returns a string unchanged, and a type value as its name. Returns undefined for all other values. Some upstream code requires a string
 * but also accepts a type value.
 */
export function textOf(value: CelValue): string | undefined {
  if (typeof value === 'string') return value;
  return value instanceof TypeValue ? value.name : undefined;
}

/** Trait of a CEL type: the ability to support certain operations, as in cel-go's trait masks. Every value has the trait `any`. */
export type Trait =
  | 'any'
  | 'adder'
  | 'comparer'
  | 'divider'
  | 'indexer'
  | 'lister'
  | 'matcher'
  | 'modder'
  | 'multiplier'
  | 'negator'
  | 'sizer'
  | 'subtractor';

const NUMERIC: readonly Trait[] = ['adder', 'comparer', 'divider', 'multiplier', 'subtractor'];

/** Traits of each type, by the kind of the run-time type. Source: cel-go common/types/types.go trait masks (v0.29.2). */
const TRAITS: Readonly<Partial<Record<CelType['kind'], ReadonlySet<Trait>>>> = {
  bool: new Set<Trait>(['comparer', 'negator']),
  bytes: new Set<Trait>(['adder', 'comparer', 'sizer']),
  double: new Set<Trait>([...NUMERIC, 'negator']),
  duration: new Set<Trait>(['adder', 'comparer', 'negator', 'subtractor']),
  int: new Set<Trait>([...NUMERIC, 'modder', 'negator']),
  list: new Set<Trait>(['adder', 'indexer', 'lister', 'sizer']),
  map: new Set<Trait>(['indexer', 'sizer']),
  string: new Set<Trait>(['adder', 'comparer', 'matcher', 'sizer']),
  timestamp: new Set<Trait>(['adder', 'comparer', 'subtractor']),
  uint: new Set<Trait>([...NUMERIC, 'modder']),
};

/**
 * Returns true if the value's type has a trait that an operator or function needs. Source: cel-go common/types/traits
 * (v0.29.2).
 */
export function hasTrait(value: CelValue, trait: Trait): boolean {
  return trait === 'any' || (TRAITS[typeOfValue(value).kind]?.has(trait) ?? false);
}

/**
 * Returns true for strings, timestamps and durations. If no implementation fits a call on such a value, the call fails with exactly `no
 * such overload`. Source: cel-go `ReceiverType`.
 */
export function isReceiver(value: CelValue): boolean {
  return typeof value === 'string' || value instanceof Timestamp || value instanceof Duration;
}

/**
 * Returns true if a value passes the run-time type guard of a parameter. For lists and maps, only the first entry is checked against the
 * type parameters. Source: cel-go common/types/types.go `defaultIsAssignableRuntimeType` (v0.29.2).
 */
export function fitsType(type: CelType, value: CelValue): boolean {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- values of other types name them
  switch (type.kind) {
    case 'dyn':
    case 'any':
    case 'typeParameter':
      return true;
    case 'string':
      return typeof value === 'string';
    case 'int':
      return isInt(value);
    case 'list':
      return isList(value) && (value.size === 0 || fitsEntry(type.element, value.at(0)));
    case 'map': {
      if (!isMap(value)) return false;
      for (const key of value.keys()) return fitsEntry(type.key, key) && fitsEntry(type.value, value.get(key) ?? null);
      return true;
    }
    default:
      return runtimeTypeName(type) === runtimeTypeName(typeOfValue(value));
  }
}

/** Returns true if an entry of a list or map fits a type. An entry that is an error fits no type. */
const fitsEntry = (type: CelType, entry: CelValue): boolean => !(entry instanceof CelError) && fitsType(type, entry);
