import { Float, latin1Text, SeededSet } from '#go';
import type { JsonValue } from '#go';
import type { EvaluationContext } from './evaluation-context.ts';
import { LibraryValue } from './library-value.ts';
import { MergedList } from './list.ts';
import { isList, isMap } from './type-of.ts';
import { Duration, EvaluationPanic, Timestamp, Uint } from './value.ts';
import type { CelList, CelValue } from './value.ts';
import { RawList } from './wrap.ts';

/**
 * Returns true if two lists of type `set` are equal by the comparison of Kubernetes minor versions before 1.37.
 *
 * These minor versions identify elements of the left set by raw JSON data. They identify elements of the right set by the Go value of a CEL
 * value. As a result, an integer in a set of numbers equals no value, not even itself. The same is true of a string that CEL converts
 * because of its format. Source: k8s.io/apiserver/pkg/cel/common/valuesunstructured.go `unstructuredSetList` (1.36).
 */
export function equalRawSets(context: EvaluationContext, a: CelList, b: CelList): boolean {
  const members = new SeededSet(keysOf(a));
  for (let i = 0; i < b.size; i++) {
    context.poll();
    if (!members.has(nativeKey(b.at(i)))) return false;
  }
  return true;
}

/**
 * Returns the union of a set and a list as Kubernetes minor versions before 1.37 compute it. The elements of the set come first, and new
 * elements of the list follow in their order.
 */
export function addToRawSet(context: EvaluationContext, a: CelList, b: CelList): CelValue {
  const keys = keysOf(a);
  const members = new SeededSet(keys);
  const elements = Array.from({ length: a.size }, (_, i) => a.at(i));
  for (let i = 0; i < b.size; i++) {
    context.poll();
    const element = b.at(i);
    const key = nativeKey(element);
    if (members.has(key)) continue;
    members.add(key);
    keys.push(key);
    elements.push(element);
  }
  return new MergedList(elements, undefined, keys);
}

/** Returns the keys by which Kubernetes minor versions before 1.37 identify the elements of a set. */
function keysOf(set: CelList): ScalarKey[] {
  if (set instanceof RawList) return set.raw.map(rawKey);
  if (set instanceof MergedList && set.setKeys !== undefined) return [...(set.setKeys as ScalarKey[])];
  return Array.from({ length: set.size }, (_, i) => nativeKey(set.at(i)));
}

function rawKey(raw: JsonValue): ScalarKey {
  if (typeof raw === 'number') return Number.isInteger(raw) ? raw : `d${raw}`;
  if (raw instanceof Float) return `d${raw.value}`;
  if (Array.isArray(raw)) throw unhashable('[]interface {}');
  if (typeof raw === 'object' && raw !== null) throw unhashable('map[string]interface {}');
  return typeof raw === 'string' ? `"${raw}` : raw;
}

function nativeKey(value: CelValue): ScalarKey {
  if (value instanceof Uint8Array) throw unhashable('[]uint8');
  if (isList(value)) throw unhashable(value instanceof RawList ? '[]interface {}' : '[]ref.Val');
  if (isMap(value)) throw unhashable(value.schema === undefined ? 'map[ref.Val]ref.Val' : 'map[string]interface {}');
  if (value instanceof LibraryValue && !value.isHashable) throw unhashable(value.goType);
  if (typeof value === 'number' && !Number.isInteger(value)) return `d${value}`;
  return scalarKey(value);
}

const unhashable = (type: string): EvaluationPanic => new EvaluationPanic(`runtime error: hash of unhashable type ${type}`);

/** Key that identifies a value in a JavaScript map or set. A value that is no scalar is its own key. */
export type ScalarKey = string | number | bigint | boolean | null | object;

/**
 * Returns the key under which a CEL value is stored in a JavaScript map or set. Two scalars have the same key if they have the same type
 * and value. A value that is no scalar is its own key.
 */
export function scalarKey(value: CelValue): ScalarKey {
  if (typeof value === 'string') return `"${value}`;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Float) return `d${value.value}`;
  if (value instanceof Uint) return `u${value.value}`;
  if (value instanceof Timestamp) return `t${value.seconds}.${value.nanos}.${value.offset}`;
  if (value instanceof Duration) return `n${value.nanos}`;
  if (value instanceof Uint8Array) return `b${latin1Text(value)}`;
  return value;
}
