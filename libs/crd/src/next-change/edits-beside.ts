import { isJsonObject, newJsonObject, isJsonInt, deepEqualJson, Float } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { fieldsOfPath, MAX_REPLICAS } from '../object/write/scale.ts';
import type { Scale } from '../object/write/scale.ts';
import type { Structural } from '../structural/structural.ts';
import { locateValue, stepsText, valueAt, withValue } from './locate-value.ts';
import type { ValueStep } from './locate-value.ts';

/** Change of a single value in an object. */
export interface Edit {
  readonly path: string;
  /** Old value; undefined if the edit adds the value. */
  readonly before: JsonValue | undefined;
  readonly after: JsonValue;
  /** Object after the edit. */
  readonly object: JsonObject;
}

/** Number of edits that are tried inside one value. More than one is needed, because an edit may be invalid for unrelated reasons. */
const EDITS_EACH = 6;
/** Top-level fields that are left out if edits inside the whole object are tried. */
const FRAME: readonly string[] = ['apiVersion', 'kind', 'metadata', 'status'];

/** Schema of the edited objects, and the subresource through which they are edited. */
export interface EditedResource {
  readonly schema: Structural;
  readonly subresource?: 'status' | undefined;
}

/**
 * Yields groups of edits to an object near a field path. No edit replaces the whole value at the path. The nearest edits come first: inside
 * the value, then among its siblings, then among the siblings of its parent, and so on.
 *
 * Callers try the edits to find a change that makes the server refuse an invalid value. Ratcheting tolerates such a value only if it is
 * unchanged and the server can correlate it with an old value. Through the subresource `status`, only the status is edited.
 */
export function* editsBeside(object: JsonObject, field: string, { schema, subresource }: EditedResource): Generator<readonly Edit[]> {
  const [outermost, top] = subresource === undefined ? [[], 0] : [[subresource], 1];
  const located = locateValue(object, field).steps;
  const steps = outermost.every((step, i) => located[i] === step) ? located : outermost;
  for (let depth = steps.length; depth >= top; depth--) {
    const around = steps.slice(0, depth);
    const edits: Edit[] = [];
    for (const edit of editsInside(object, around, steps[depth], schema)) {
      edits.push(edit);
      if (edits.length === EDITS_EACH) break;
    }
    if (depth === 0) edits.push(annotated(object));
    if (edits.length > 0) yield edits;
  }
}

/** Yields edits of the values inside the value at `around`, except inside the child `except`. */
function* editsInside(object: JsonObject, around: readonly ValueStep[], except: ValueStep | undefined, root: Structural): Generator<Edit> {
  const schema = schemaAt(root, around);
  const list = typeof around.at(-1) === 'number' ? schemaAt(root, around.slice(0, -1)) : undefined;
  const held = [...scalarsIn(valueAt(object, around), { steps: around, schema, list }, except)];
  // The first round makes one edit at each place. Later rounds make the other edits.
  const choices = held.map(({ steps, value, schema: own }) => ({ steps, before: value, others: otherValues(value, own) }));
  for (let turn = 0; turn < 3; turn++)
    for (const { steps, before, others } of choices) {
      const after = others[turn];
      if (after !== undefined) yield editOf(object, steps, before, after);
    }
  const value = valueAt(object, around);
  if (!isJsonObject(value)) return;
  for (const [name, property] of schema?.properties ?? []) {
    const first = value[name] === undefined && name !== except && !isFrame(around, name) ? firstValue(property) : undefined;
    if (first !== undefined) yield editOf(object, [...around, name], undefined, first);
  }
}

interface Held {
  readonly steps: readonly ValueStep[];
  readonly value: JsonValue;
  readonly schema: Structural | undefined;
}

/** Value that is visited in the search for scalars: its path, its schema, and the schema of the list that contains it. */
interface Place {
  readonly steps: readonly ValueStep[];
  readonly schema: Structural | undefined;
  readonly list?: Structural | undefined;
}

/**
 * Yields at most {@link EDITS_EACH} scalars inside a value. Keys of map lists are left out, because an item with a changed key is a
 * different item.
 */
function* scalarsIn(value: JsonValue, { steps, schema, list }: Place, except?: ValueStep): Generator<Held> {
  let found = 0;
  for (const [name, child] of childrenOf(value)) {
    if (name === except || isFrame(steps, name) || isKey(list, name)) continue;
    const place = { steps: [...steps, name], schema: schemaOf(schema, name), list: Array.isArray(value) ? schema : undefined };
    for (const held of isScalar(child) ? [{ ...place, value: child }] : scalarsIn(child, place)) {
      yield held;
      if (++found === EDITS_EACH) return;
    }
  }
}

function childrenOf(value: JsonValue): Iterable<readonly [ValueStep, JsonValue]> {
  if (Array.isArray(value)) return value.entries();
  return isJsonObject(value) ? Object.entries(value) : [];
}

const isScalar = (value: JsonValue): boolean => value !== null && !Array.isArray(value) && !isJsonObject(value);
const isKey = (list: Structural | undefined, name: ValueStep): boolean =>
  list?.listType === 'map' && list.listMapKeys.includes(String(name));
const isFrame = (steps: readonly ValueStep[], name: ValueStep): boolean => steps.length === 0 && FRAME.includes(String(name));

function schemaOf(schema: Structural | undefined, step: ValueStep): Structural | undefined {
  return typeof step === 'number' ? schema?.items : (schema?.properties?.get(step) ?? schema?.additionalProperties);
}

const schemaAt = (root: Structural, steps: readonly ValueStep[]): Structural | undefined =>
  steps.reduce<Structural | undefined>(schemaOf, root);

/** Returns the edit that sets the value at `steps` to `after`. Every value on the way must exist. */
const editOf = (object: JsonObject, steps: readonly ValueStep[], before: JsonValue | undefined, after: JsonValue): Edit => ({
  path: stepsText(steps),
  before,
  after,
  object: withValue(object, steps, after) as JsonObject,
});

/** Returns an edit that only adds an annotation. */
function annotated(object: JsonObject): Edit {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : newJsonObject();
  const annotations = Object.assign(newJsonObject(), isJsonObject(metadata['annotations']) ? metadata['annotations'] : undefined);
  annotations['example.com/edited'] = 'true';
  const after = withValue(metadata, ['annotations'], annotations);
  return {
    path: 'metadata.annotations[example.com/edited]',
    before: undefined,
    after: 'true',
    object: withValue(object, ['metadata'], after) as JsonObject,
  };
}

/**
 * Returns the smallest changes that a write of the subresource `scale` can make: one replica more, and one less. An object without a number
 * of replicas gets 1. Returns no edits if the object does not contain the place of the number. Source: apiextensions-apiserver
 * pkg/registry/customresource/etcd.go `scaleUpdatedObjectInfo` (1.37).
 */
export function editsOfScale(object: JsonObject, { specReplicasPath }: Pick<Scale, 'specReplicasPath'>): readonly Edit[] {
  const steps = fieldsOfPath(specReplicasPath);
  const parent = steps
    .slice(0, -1)
    .reduce<JsonValue | undefined>((value, step) => (value !== undefined && isJsonObject(value) ? value[step] : undefined), object);
  if (parent === undefined || !isJsonObject(parent)) return [];
  const before = parent[steps.at(-1) ?? ''];
  if (before !== undefined && !isJsonInt(before)) return [];
  const replicas = before === undefined ? [1] : [Number(before) + 1, Number(before) - 1];
  return replicas.filter((count) => count >= 0 && count <= MAX_REPLICAS).map((count) => editOf(object, steps, before, count));
}

/**
 * Returns values that can replace a scalar when small edits of an object are tried. These are other enum values, the negated boolean, or a
 * nearby number or text. The values that are most likely valid come first. The caller must check whether they are valid.
 */
export function otherValues(value: JsonValue, schema: Structural | undefined): JsonValue[] {
  const words = (schema?.enum ?? []).filter((word) => !deepEqualJson(word, value));
  if (words.length > 0) return words.slice(0, 2);
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'string') return otherTexts(value);
  if (value instanceof Float) return [new Float(value.value + 1), new Float(value.value - 1)];
  if (isJsonInt(value)) return typeof value === 'bigint' ? [value - 1n] : [value + 1, value - 1];
  return [];
}

/**
 * Returns similar texts: with another last character, one character longer, and one character shorter. At least one of them usually meets
 * the length, pattern and format.
 */
function otherTexts(text: string): string[] {
  const last = text.at(-1) ?? '';
  const neighbour = /[0-8a-y]/i.test(last) ? String.fromCharCode(last.charCodeAt(0) + 1) : /[9z]/i.test(last) ? '0' : 'a';
  return [text.slice(0, -1) + neighbour, `${text}a`, text.slice(0, -1)];
}

/** Returns a value with which an edit can add an absent scalar field. Returns undefined if the field is no scalar or has a default. */
function firstValue({ default: declared, enum: words, type, minLength, props }: Structural): JsonValue | undefined {
  const { minimum } = props;
  const [word] = words ?? [];
  if (declared !== undefined) return undefined;
  if (word !== undefined) return word;
  if (type === 'boolean') return true;
  if (type === 'integer') return Math.ceil(minimum ?? 1);
  if (type === 'number') return new Float(minimum ?? 1);
  return type === 'string' ? 'a'.repeat(Math.max(1, minLength ?? 1)) : undefined;
}
