import { deepEqualJson, isJsonObject } from '#go';
import type { JsonValue } from '#go';
import { MapListIndex } from './map-list-index.ts';
import { isPlainlyUnchanged } from './plainly-unchanged.ts';
import type { Structural } from '../structural/structural.ts';

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
