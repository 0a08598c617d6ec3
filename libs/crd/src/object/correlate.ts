import { deepEqualJson, isJsonObject, Float, goQuote, isJsonInt } from '#go';
import type { JsonValue, JsonObject } from '#go';
import type { Structural } from '../structural/structural.ts';
import { areDistinct } from './write/distinct.ts';

/**
 * Index of a map list by the keys of its items. It contains only items in which all keys are present and scalar. If several items have the
 * same key, the first item is found. Source: k8s.io/apiserver/pkg/cel/common/maplist.go (1.37).
 */
export class MapListIndex {
  readonly #keyFields: readonly string[];
  /** Name of the key field, if the list has exactly one key; otherwise undefined. */
  readonly #only: string | undefined;
  /** Items whose single key is a string, by this string. */
  readonly #byText = new Map<string, JsonValue>();
  readonly #byKey = new Map<string, JsonValue>();

  constructor(schema: Structural, items: readonly JsonValue[]) {
    const indexed = schema.type === 'array' && schema.listType === 'map' && schema.listMapKeys.length > 0;
    this.#keyFields = indexed ? schema.listMapKeys : [];
    this.#only = this.#keyFields.length === 1 ? this.#keyFields[0] : undefined;
    for (const item of items) {
      const text = this.#textOf(item);
      const key = text ?? this.#keyOf(item);
      const map = text === undefined ? this.#byKey : this.#byText;
      if (key !== undefined && !map.has(key)) map.set(key, item);
    }
  }

  /** Returns the indexed item that has the same keys as `item`, or undefined if there is none. */
  get(item: JsonValue): JsonValue | undefined {
    const text = this.#textOf(item);
    if (text !== undefined) return this.#byText.get(text);
    const key = this.#keyOf(item);
    return key === undefined ? undefined : this.#byKey.get(key);
  }

  #textOf(item: JsonValue): string | undefined {
    const value = this.#only !== undefined && isJsonObject(item) ? item[this.#only] : undefined;
    return typeof value === 'string' ? value : undefined;
  }

  /**
   * Returns the key of an item: the value of the single key field, or a text composed of several key fields. Floats never equal integers.
   * Undefined if the item lacks a key field.
   */
  #keyOf(item: JsonValue): string | undefined {
    if (this.#keyFields.length === 0 || !isJsonObject(item)) return undefined;
    let composite = '';
    for (const field of this.#keyFields) {
      const part = scalarKey(item, field, this.#keyFields.length > 1);
      if (part === undefined) return undefined;
      composite += `\0${part}`;
    }
    return composite;
  }
}

/**
 * Returns a key field as text, or undefined if the field is absent or no scalar. If the list has a single key, the text distinguishes
 * types. If the list has several keys, floats are formatted with six decimals, as by Go's formatting verbs.
 */
function scalarKey(item: JsonObject, field: string, several: boolean): string | undefined {
  const value = item[field];
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'boolean') return String(value);
  if (isJsonInt(value)) return String(value);
  const float = value instanceof Float ? value.value : typeof value === 'number' ? value : undefined;
  if (float === undefined) return undefined;
  return several ? float.toFixed(6) : `float ${float + 0}`;
}

/**
 * Value together with its old value. The schema determines which children are correlated: fields by their name, and items of map lists by
 * their key. Source: k8s.io/apiserver/pkg/cel/common/equality.go `CorrelatedObject` (1.37).
 */
export class Correlation {
  readonly value: JsonValue;
  readonly oldValue: JsonValue;
  readonly schema: Structural;
  #equal: boolean | undefined;
  #differs = false;
  #fields: Map<string, Correlation | undefined> | undefined;
  #elements: Map<number, Correlation | undefined> | undefined;
  #oldItems: MapListIndex | undefined;

  constructor(value: JsonValue, oldValue: JsonValue, schema: Structural) {
    this.value = value;
    this.oldValue = oldValue;
    this.schema = schema;
  }

  /** Returns the correlation of a field. Returns undefined if the field has no schema, or if the value or the old value lacks the field. */
  field(name: string): Correlation | undefined {
    this.#fields ??= new Map();
    const known = this.#fields.get(name);
    if (known !== undefined || this.#fields.has(name)) return known;
    const child = this.#correlateField(name);
    this.#fields.set(name, child);
    return child;
  }

  #correlateField(name: string): Correlation | undefined {
    if (!isJsonObject(this.oldValue) || !isJsonObject(this.value)) return undefined;
    const oldValue = this.oldValue[name];
    const value = this.value[name];
    const schema = this.schema.properties?.get(name) ?? this.schema.additionalProperties;
    return oldValue === undefined || value === undefined || schema === undefined ? undefined : new Correlation(value, oldValue, schema);
  }

  /**
   * Returns the correlation of an item with the old item that has the same key. Returns undefined if there is no such old item, or if the
   * list is not of type map.
   */
  item(index: number): Correlation | undefined {
    this.#elements ??= new Map();
    const known = this.#elements.get(index);
    if (known !== undefined || this.#elements.has(index)) return known;
    const child = this.#correlateItem(index);
    this.#elements.set(index, child);
    return child;
  }

  #correlateItem(index: number): Correlation | undefined {
    if (this.schema.listType !== 'map' || this.schema.items === undefined) return undefined;
    if (!Array.isArray(this.oldValue) || !Array.isArray(this.value)) return undefined;
    this.#oldItems ??= new MapListIndex(this.schema, this.oldValue);
    const old = this.#oldItems.get(this.value[index] as JsonValue);
    return old === undefined ? undefined : new Correlation(this.value[index] as JsonValue, old, this.schema.items);
  }

  /**
   * Records that a comparison item by item finds a difference between the value and the old value. Items of a map list may still be
   * correlated in another order.
   */
  noteDifference(): void {
    this.#differs = true;
  }

  /** True if a cheap comparison shows that the value is unchanged; see {@link isPlainlyUnchanged}. */
  get plainlyUnchanged(): boolean {
    return !this.#differs && isPlainlyUnchanged(this.value, this.oldValue, this.schema);
  }

  /** True if the value is unchanged. An object with a field that the schema does not declare counts as changed. */
  get unchanged(): boolean {
    this.#equal ??= this.#compare();
    return this.#equal;
  }

  #compare(): boolean {
    const { value, oldValue } = this;
    if (value === null || oldValue === null) return value === oldValue;
    if (Array.isArray(value)) {
      if (!Array.isArray(oldValue) || oldValue.length !== value.length) return false;
      return this.#compareItems(value, oldValue);
    }
    if (isJsonObject(value)) {
      if (!isJsonObject(oldValue)) return false;
      const keys = Object.keys(value);
      if (keys.length !== Object.keys(oldValue).length) return false;
      return keys.every((key) => this.field(key)?.unchanged === true);
    }
    return deepEqualJson(value, oldValue);
  }

  #compareItems(value: JsonValue[], oldValue: JsonValue[]): boolean {
    for (let i = 0; i < value.length; i++) {
      const child = this.item(i);
      if (child === undefined) return this.schema.listType === 'map' ? false : deepEqualJson(value, oldValue);
      if (!child.unchanged) return false;
    }
    return true;
  }
}

/**
 * Returns true if a quick comparison shows that a value equals its old value, with all list items in the same order. In this case,
 * `Correlation.unchanged` is also true, but this function builds no indexes. If the result is false, the value may still be unchanged.
 */
export function isPlainlyUnchanged(value: JsonValue, oldValue: JsonValue, schema: Structural): boolean {
  if (Array.isArray(value)) return Array.isArray(oldValue) && isListUnchanged(value, oldValue, schema);
  if (!isJsonObject(value)) return deepEqualJson(value, oldValue);
  if (!isJsonObject(oldValue)) return false;
  const keys = Object.keys(value);
  if (keys.length !== Object.keys(oldValue).length) return false;
  for (const key of keys) {
    const old = oldValue[key];
    const field = schema.properties?.get(key) ?? schema.additionalProperties;
    // A field that the schema does not declare has no old value, so it counts as changed.
    if (old === undefined || field === undefined || !isPlainlyUnchanged(value[key] as JsonValue, old, field)) return false;
  }
  return true;
}

/**
 * Returns true if a list equals the old list in the same order. Items of a map list are correlated by their key, so the key must be present
 * and unique.
 */
function isListUnchanged(list: readonly JsonValue[], oldList: readonly JsonValue[], schema: Structural): boolean {
  if (list.length !== oldList.length) return false;
  if (schema.listType !== 'map') return deepEqualJson(list as JsonValue[], oldList as JsonValue[]);
  const { items, listMapKeys, type } = schema;
  const [key, another] = listMapKeys;
  if (items === undefined || key === undefined || another !== undefined || type !== 'array') return list.length === 0;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as JsonValue;
    if (!isJsonObject(item) || !isPlainlyUnchanged(item, oldList[i] as JsonValue, items)) return false;
  }
  return areDistinct(list.map((item) => (item as JsonObject)[key]));
}
