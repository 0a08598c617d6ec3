import { isJsonObject, newJsonObject, utf8Length } from '#go';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import type { SchemaProps } from '#crd';
import type { FieldChoice, ValuePlan } from './choice.ts';
import { requiredKind } from './effective-schema.ts';
import type { EffectiveSchema, EffectiveSchemas, ValueKind } from './effective-schema.ts';
import { scalarOf } from './scalars.ts';
import type { ScalarPlace } from './scalars.ts';
import type { SchemaTexts } from '../texts/schema-texts.ts';

/** Inputs, besides the plan, for generating a value of a schema: two caches and a size limit. */
export interface WritingParts {
  readonly schemas: EffectiveSchemas;
  readonly texts: SchemaTexts;
  /** Maximum size of a value in bytes of JSON. A value that would be larger is not built. */
  readonly maxBytes: number;
}

/** Reason that is reported if no value was generated because the token was cancelled. */
export const STOPPED = 'stopped';

/**
 * Variant of a value that is generated from a plan. `usual`: the value that the plan describes. `other`: a different value of the same
 * shape, for example as the old value of an update.
 */
export type Version = 'usual' | 'other';

/** Result of generating a value from a plan: the value and its size in bytes, or the reason why no value can be generated. */
export type GeneratedValue =
  | { readonly ok: true; readonly value: JsonValue; readonly bytes: number }
  | { readonly ok: false; readonly reason: string };

/** Position of a value in the innermost list or map element that contains the value. */
interface Place extends ScalarPlace {
  /** Key fields of the list of type `map` that contains the element. The first key field has a different value in each element. */
  readonly keys?: readonly string[];
}

/**
 * Generates the value that a plan describes for a schema. Returns a reason if the value cannot be generated. The plan may require a value
 * that violates the schema. The caller must validate the value to find such violations.
 *
 * @param node schema of the value, and the value's field path as the plan writes it, such as `.spec.rules[]`
 */
export function writeValue(
  node: { readonly schema: SchemaProps; readonly field: string },
  plan: ValuePlan,
  parts: WritingParts,
  { version = 'usual', token }: { readonly version?: Version; readonly token?: CancellationToken | undefined } = {},
): GeneratedValue {
  const writer = new ValueWriter(plan, parts, token);
  const shift = version === 'other' ? 1 : 0;
  const value = writer.value(node.schema, node.field, { index: 0, count: 1, isDistinct: false, shift });
  return writer.failure === undefined ? { ok: true, value, bytes: writer.bytes } : { ok: false, reason: writer.failure };
}

/** A property of an object that is written. `prepared` is computed when the property is first written. */
interface PreparedProperty {
  readonly name: string;
  readonly bytes: number;
  readonly field: string;
  readonly schema: SchemaProps;
  prepared?: PreparedField;
}

/** A field with the data that all of its values have in common. */
interface PreparedField {
  readonly choice: FieldChoice;
  readonly schema: EffectiveSchema;
  readonly kind: ValueKind;
  /** Properties that the field has if it is an object. */
  readonly below: readonly PreparedProperty[];
}

/** Number of values that are written between two checks of the cancellation token. */
const POLLED = 256;

class ValueWriter {
  /** Number of bytes of JSON that were written so far. */
  bytes = 0;
  /** Reason why the value cannot be written. If a reason is set, the returned value is meaningless. */
  failure: string | undefined;
  readonly #plan: ValuePlan;
  readonly #parts: WritingParts;
  readonly #token: CancellationToken | undefined;
  readonly #prepared = new Map<string, PreparedField>();
  #values = 0;

  constructor(plan: ValuePlan, parts: WritingParts, token: CancellationToken | undefined) {
    this.#plan = plan;
    this.#parts = parts;
    this.#token = token;
  }

  value(raw: SchemaProps, field: string, at: Place): JsonValue {
    return this.#write(this.#prepare(raw, field), field, at);
  }

  #write(prepared: PreparedField, field: string, at: Place): JsonValue {
    if (this.#values++ % POLLED === 0 && this.#token?.cancelled === true) this.failure ??= STOPPED;
    if (this.failure !== undefined) return null;
    const { schema, choice } = prepared;
    switch (prepared.kind) {
      case 'object':
        return this.#object(prepared, field, at);
      case 'map':
        return this.#map(schema, field, choice, at);
      case 'array':
        return this.#list(schema, field, choice, at);
      case 'any':
        return this.#spent(schema.enum?.[0] ?? schema.default ?? newJsonObject());
      case 'boolean':
      case 'intOrString':
      case 'integer':
      case 'number':
      case 'string':
        return this.#scalar(schema, choice, at);
    }
  }

  #prepare(raw: SchemaProps, field: string): PreparedField {
    const known = this.#prepared.get(field);
    if (known !== undefined) return known;
    const choice = this.#plan.at(field) ?? {};
    const schema = this.#parts.schemas.of(raw, choice.branch);
    const kind = requiredKind(schema);
    const below = (kind === 'object' ? this.#chosenNames(schema, field) : []).flatMap((name) => {
      const property = schema.properties?.get(name);
      return property === undefined ? [] : [{ name, bytes: utf8Length(name) + 4, field: `${field}.${name}`, schema: property }];
    });
    const prepared = { choice, schema, kind, below };
    this.#prepared.set(field, prepared);
    return prepared;
  }

  #scalar(schema: EffectiveSchema, choice: FieldChoice, at: Place): JsonValue {
    // Fails before building a text for which the request has too little room left.
    const least = Math.max(choice.size ?? 0, Number(schema.minLength ?? 0));
    if (least > this.#parts.maxBytes - this.bytes) return this.#fail('larger than a request');
    const scalar = scalarOf(schema, choice, at, this.#parts.texts);
    return scalar.ok ? this.#spent(scalar.value) : this.#fail(scalar.reason);
  }

  #object({ schema, below }: PreparedField, field: string, at: Place): JsonValue {
    const { required, forbidden, embeddedResource } = schema;
    const object = embeddedResource ? this.#spent(embedded()) : newJsonObject();
    const [distinctKey] = at.keys ?? [];
    for (const one of below) {
      this.#spend(one.bytes);
      const isDistinct = at.keys === undefined ? at.isDistinct && below.length === 1 : one.name === distinctKey;
      one.prepared ??= this.#prepare(one.schema, one.field);
      object[one.name] = this.#write(one.prepared, one.field, { index: at.index, count: at.count, isDistinct, shift: at.shift });
    }
    const others = schema.additionalProperties?.schema;
    const least = Number(schema.minProperties ?? 0);
    if (others !== undefined)
      for (let i = 0; below.length + i < least; i++)
        object[generatedKey(i, 1)] = this.value(others, `${field}{}`, { index: i, count: least, isDistinct: false, shift: at.shift });
    for (const name of required)
      if (!(name in object) && !forbidden.has(name) && this.failure === undefined) object[name] = this.#spent(newJsonObject());
    this.#spend(2);
    return object;
  }

  /** Returns the names of the properties to write: first the required properties, then all optional properties that the plan contains. */
  #chosenNames({ properties, required, forbidden, minProperties, maxProperties }: EffectiveSchema, field: string): readonly string[] {
    const declared = [...(properties?.keys() ?? [])].filter((name) => !forbidden.has(name));
    const musts = declared.filter((name) => required.includes(name));
    const planned = declared.filter((name) => {
      const choice = this.#plan.at(`${field}.${name}`);
      return !required.includes(name) && choice !== undefined && choice.present !== false;
    });
    const names = [...musts, ...planned];
    for (const name of declared) if (names.length < Number(minProperties ?? 0) && !names.includes(name)) names.push(name);
    return names.slice(0, Math.max(musts.length, Number(maxProperties ?? Infinity)));
  }

  #list(
    { items, minItems, maxItems, uniqueItems, listType, listMapKeys }: EffectiveSchema,
    field: string,
    choice: FieldChoice,
    { shift }: Place,
  ): JsonValue {
    const count = sizeWithin(choice, Number(minItems ?? 0), Number(maxItems ?? Infinity));
    const list: JsonValue[] = [];
    const below = items?.schema;
    const isDistinct = listType === 'set' || uniqueItems;
    const keys = listType === 'map' && below ? { keys: roomiestFirst(listMapKeys, below) } : {};
    const inner = `${field}[]`;
    const prepared = below && count > 0 ? this.#prepare(below, inner) : undefined;
    for (let index = 0; index < count && this.failure === undefined; index++) {
      this.#spend(1);
      const at = { index, count, isDistinct, shift, ...keys };
      list.push(prepared === undefined ? this.#spent(newJsonObject()) : this.#write(prepared, inner, at));
      if (index === 0 && prepared !== undefined && !isDistinct && isSameEverywhere(prepared)) this.#repeat(list, count);
      if (list.length === count) break;
    }
    this.#spend(2);
    return list;
  }

  /** Appends copies of a list's first element until the list has `count` elements. Fails if the value exceeds the size limit. */
  #repeat(list: JsonValue[], count: number): void {
    const [first = null] = list;
    const before = this.bytes;
    this.#spent(first);
    const each = this.bytes - before + 1;
    this.bytes = before;
    this.#spend((count - 1) * each);
    if (this.failure === undefined) for (let index = 1; index < count; index++) list.push(first);
  }

  #map(
    { additionalProperties, minProperties, maxProperties }: EffectiveSchema,
    field: string,
    choice: FieldChoice,
    { shift }: Place,
  ): JsonValue {
    const count = sizeWithin(choice, Number(minProperties ?? 0), Number(maxProperties ?? Infinity));
    const below = additionalProperties?.schema;
    const length = choice.keyLength ?? 1;
    if (count * length > this.#parts.maxBytes) return this.#fail('larger than a request');
    const map = newJsonObject();
    if (below === undefined) return this.#spent(map);
    for (let index = 0; index < count && this.failure === undefined; index++) {
      const key = choice.keys?.[index] ?? generatedKey(index, length);
      this.#spend(utf8Length(key) + 4);
      map[key] = this.value(below, `${field}{}`, { index, count, isDistinct: false, shift });
    }
    this.#spend(2);
    return map;
  }

  #spent<One extends JsonValue>(value: One): One {
    if (typeof value === 'string') this.#spend(utf8Length(value) + 2);
    else if (Array.isArray(value) || isJsonObject(value)) this.#spend(2 + 16 * Object.keys(value).length);
    else this.#spend(String(value).length);
    return value;
  }

  #spend(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.#parts.maxBytes) this.failure ??= 'larger than a request';
  }

  #fail(reason: string): null {
    this.failure ??= reason;
    return null;
  }
}

/** Returns true if the plan gives all elements of a list the same scalar. The argument describes the elements of this list. */
function isSameEverywhere({ kind, choice: { filling } }: PreparedField): boolean {
  if (kind === 'object' || kind === 'map' || kind === 'array' || kind === 'any' || kind === 'boolean') return false;
  return filling === undefined || (SAME.has(filling.kind) && !('varies' in filling));
}

const SAME: ReadonlySet<string> = new Set(['least', 'greatest', 'literal', 'pattern', 'periodic']);

/** Returns the smallest valid value for a schema with `x-kubernetes-embedded-resource`. */
function embedded(): JsonObject {
  return Object.assign(newJsonObject(), { apiVersion: 'v1', kind: 'X', metadata: Object.assign(newJsonObject(), { name: 'x' }) });
}

/**
 * Returns the number of elements to write: the size in the choice, limited to the schema's bounds. If `isLifted` is true, the upper bound
 * is ignored.
 */
function sizeWithin({ size, isLifted }: FieldChoice, least: number, most: number): number {
  return Math.min(isLifted === true ? Infinity : most, Math.max(least, size ?? least));
}

/** Returns the key fields of a list of type `map`. The key field with the most possible values comes first. */
function roomiestFirst(keys: readonly string[], items: SchemaProps): readonly string[] {
  const room = (key: string): number => {
    const schema = items.properties?.get(key);
    if (schema === undefined || schema.type === 'boolean') return 2;
    return schema.enum?.length ?? Number(schema.maxLength ?? schema.maximum ?? 1e9);
  };
  return keys.toSorted((a, b) => room(b) - room(a));
}

/**
 * Generates a key for a test map. Different values of `index` give different keys. The key has at least `length` code points, and long keys
 * have the same prefix.
 */
function generatedKey(index: number, length: number): string {
  const digits = index.toString(36);
  return digits.length + 1 >= length ? `k${digits}` : `${'k'.repeat(length - digits.length - 1)}-${digits}`;
}
