import { isJsonObject, utf8Length, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { MAX_BODY_BYTES } from '#kube';

/** List in an object, with a function that returns the object with a longer list. */
export interface ObjectList {
  /** Path of the list: `spec.containers[0].ports` */
  readonly path: string;
  readonly length: number;
  /**
   * Maximum number of elements that the list can have in a request of the maximum size. The calculation uses the sizes of the elements as
   * JSON, in bytes.
   */
  readonly largest: number;
  /**
   * Returns the object with `length` elements in the list. The elements of the list are repeated in turn. All unchanged parts of the object
   * are shared with the original.
   */
  grownTo(length: number): JsonObject;
}

/** Maximum number of lists that are examined. Lists nearest to the root come first. */
const MAX_LISTS = 40;

/** Returns the non-empty lists of an object, at most `MAX_LISTS`. */
export function listsOf(object: JsonObject): readonly ObjectList[] {
  const room = MAX_BODY_BYTES - sizeOf(object);
  const lists: ObjectList[] = [];
  let level: readonly Place[] = [{ steps: [], value: object }];
  while (level.length > 0 && lists.length < MAX_LISTS) {
    for (const { steps, value } of level)
      if (Array.isArray(value) && value.length > 0 && lists.length < MAX_LISTS) lists.push(listAt(object, steps, value, room));
    level = level.flatMap(inside);
  }
  return lists;
}

/** Value in an object, with the path from the object's root to the value. */
interface Place {
  readonly steps: readonly (string | number)[];
  readonly value: JsonValue;
}

/** Maximum number of elements of a list that are searched for nested lists. */
const MAX_ELEMENTS = 3;

function inside({ steps, value }: Place): Place[] {
  if (Array.isArray(value)) return value.slice(0, MAX_ELEMENTS).map((element, i) => ({ steps: [...steps, i], value: element }));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([key, child]) => ({ steps: [...steps, key], value: child }));
}

function listAt(object: JsonObject, steps: readonly (string | number)[], list: readonly JsonValue[], room: number): ObjectList {
  const elementBytes = sizeOf([...list]) / list.length;
  return {
    path: steps.reduce<string>(
      (path, step) => (typeof step === 'number' ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`),
      '',
    ),
    length: list.length,
    largest: list.length + Math.max(0, Math.floor(room / elementBytes)),
    grownTo: (length) => replaced(object, steps, repeated(list, length)) as JsonObject,
  };
}

const sizeOf = (value: JsonValue): number => utf8Length(writeJson(value));

function repeated(list: readonly JsonValue[], length: number): JsonValue[] {
  const grown: JsonValue[] = [];
  for (let i = 0; i < length; i++) grown.push(list[i % list.length] ?? null);
  return grown;
}

/** Returns a copy of `value` in which the value at a path is replaced by `by`. Parts outside the path are shared. */
function replaced(value: JsonValue, [step, ...rest]: readonly (string | number)[], by: JsonValue): JsonValue {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((element, i) => (i === step ? replaced(element, rest, by) : element));
  const object = value as JsonObject;
  return Object.assign(Object.create(null) as JsonObject, object, { [step]: replaced(object[step] ?? null, rest, by) });
}
