import { codePointLength, isJsonObject, newJsonObject, utf8Length, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { MAX_BODY_BYTES } from '#kube';
import type { GoType, StructType } from '../built-in/table/go-type.ts';

/** Unit of the size of a part of an object. */
export type PartUnit = 'elements' | 'entries' | 'characters';

/** List, map or text in an object, with a function that returns the object with a larger part. */
export interface ObjectPart {
  /** Path of the part: `spec.containers[0].ports` */
  readonly path: string;
  readonly unit: PartUnit;
  /** Number of elements, entries or characters. */
  readonly length: number;
  /**
   * Maximum length that the part can have in a request of the maximum size. The calculation uses the size of the part as JSON, in bytes.
   */
  readonly largest: number;
  /**
   * Returns the object with a part of the given length. The elements, values or characters of the part are repeated in turn. A map gets
   * keys of its own for the copies. All unchanged parts of the object are shared with the original.
   */
  grownTo(length: number): JsonObject;
}

/** Maximum number of parts of each unit that are examined. Parts nearest to the root come first. */
const MAX_PARTS = 40;

/**
 * Returns the non-empty lists, maps and texts of an object, at most `MAX_PARTS` of each. Leaves out the fields that identify the object. If
 * `type` is given, objects that are Go structs are no maps. Without a type, each object counts as a map.
 */
export function partsOf(object: JsonObject, type?: StructType): readonly ObjectPart[] {
  const room = MAX_BODY_BYTES - sizeOf(object);
  const parts: Record<PartUnit, ObjectPart[]> = { elements: [], entries: [], characters: [] };
  let level: readonly Place[] = [{ steps: [], value: object, type }];
  while (level.length > 0) {
    for (const place of level) {
      const unit = unitOf(place);
      if (unit !== undefined && parts[unit].length < MAX_PARTS) parts[unit].push(partAt(object, place, unit, room));
    }
    if (Object.values(parts).every(({ length }) => length >= MAX_PARTS)) break;
    level = level.flatMap(inside);
  }
  return [...parts.elements, ...parts.entries, ...parts.characters];
}

/** Value in an object, with the path from the object's root to the value, and its Go type if the type is known. */
interface Place {
  readonly steps: readonly (string | number)[];
  readonly value: JsonValue;
  readonly type: GoType | undefined;
}

/** Maximum number of elements of a list that are searched for nested parts. */
const MAX_ELEMENTS = 3;

function inside({ steps, value, type }: Place): Place[] {
  const known = type?.kind === 'pointer' ? type.to : type;
  if (Array.isArray(value)) {
    const element = known?.kind === 'list' ? known.of : undefined;
    return value.slice(0, MAX_ELEMENTS).map((child, i) => ({ steps: [...steps, i], value: child, type: element }));
  }
  if (!isJsonObject(value)) return [];
  const typeOf = (key: string): GoType | undefined =>
    known?.kind === 'struct' ? known.fields.get(key)?.type : known?.kind === 'map' ? known.of : undefined;
  return Object.entries(value).flatMap(([key, child]) =>
    isIdentity(steps, key) ? [] : [{ steps: [...steps, key], value: child, type: typeOf(key) }],
  );
}

/** Returns true for a field that identifies the object: its type, and everything in its metadata except labels and annotations. */
function isIdentity(steps: Place['steps'], key: string): boolean {
  if (steps.length === 0) return key === 'apiVersion' || key === 'kind';
  return steps.length === 1 && steps[0] === 'metadata' && key !== 'labels' && key !== 'annotations';
}

function unitOf({ steps, value, type }: Place): PartUnit | undefined {
  if (typeof value === 'string') return value === '' ? undefined : 'characters';
  if (Array.isArray(value)) return value.length === 0 ? undefined : 'elements';
  const isStruct = type?.kind === 'struct' || (type?.kind === 'pointer' && type.to.kind === 'struct') || type?.kind === 'own';
  const isMap = isJsonObject(value) && !isStruct && steps.length > 0 && !(steps.length === 1 && steps[0] === 'metadata');
  return isMap && Object.keys(value).length > 0 ? 'entries' : undefined;
}

function partAt(object: JsonObject, { steps, value }: Place, unit: PartUnit, room: number): ObjectPart {
  const length = lengthOf(value);
  const bytes = sizeOf(value) / length + (unit === 'entries' ? COPY_KEY.length + MAX_DIGITS : 0);
  return {
    path: pathText(steps),
    unit,
    length,
    largest: length + Math.max(0, Math.floor(room / bytes)),
    grownTo: (wanted) => replacedIn(object, steps, repeated(value, wanted)),
  };
}

function lengthOf(value: JsonValue): number {
  if (typeof value === 'string') return codePointLength(value);
  return Array.isArray(value) ? value.length : Object.keys(value as JsonObject).length;
}

const pathText = (steps: Place['steps']): string =>
  steps.reduce<string>((path, step) => (typeof step === 'number' ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`), '');

const sizeOf = (value: JsonValue): number => utf8Length(writeJson(value));

/** First characters of the keys that a grown map gets for copies of its values. */
const COPY_KEY = 'copy-';
/** Maximum number of digits of the number in such a key. */
const MAX_DIGITS = 7;

/** Returns a list, map or text of the given length, made of the elements, values or characters of `value`. */
function repeated(value: JsonValue, length: number): JsonValue {
  if (typeof value === 'string') {
    const characters = [...value];
    return `${value.repeat(Math.floor(length / characters.length))}${characters.slice(0, length % characters.length).join('')}`;
  }
  if (Array.isArray(value)) return Array.from({ length }, (_, i) => value[i % value.length] ?? null);
  const entries = Object.entries(value as JsonObject);
  const grown = newJsonObject();
  for (let i = 0; i < length; i++) {
    const [key, child] = entries[i % entries.length] ?? ['', null];
    grown[i < entries.length ? key : `${COPY_KEY}${i}`] = child;
  }
  return grown;
}

/** Returns a copy of an object in which the value at a path is replaced by `by`. Parts outside the path are shared. */
function replacedIn(object: JsonObject, [step, ...rest]: Place['steps'], by: JsonValue): JsonObject {
  return step === undefined ? object : Object.assign(newJsonObject(), object, { [step]: replaced(object[step] ?? null, rest, by) });
}

function replaced(value: JsonValue, steps: Place['steps'], by: JsonValue): JsonValue {
  const [step, ...rest] = steps;
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((element, i) => (i === step ? replaced(element, rest, by) : element));
  return isJsonObject(value) ? replacedIn(value, steps, by) : value;
}
