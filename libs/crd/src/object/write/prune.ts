import { compareBytes, isJsonObject, scalarList } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { META_FIELDS } from '../../structural/structural.ts';
import type { Structural } from '../../structural/structural.ts';

/**
 * Removes all fields of a value that its schema does not declare, in place. Returns their paths (`a.b[0].c`), sorted by bytes. The fields
 * apiVersion, kind and metadata of embedded resources are kept, and these fields are never reported at the root. Source:
 * apiextensions-apiserver pkg/apiserver/schema/pruning/algorithm.go (1.37).
 */
export function prune(value: JsonValue, schema: Structural | undefined): string[] {
  const pruning = new Pruning();
  pruning.prune(value, schema);
  return pruning.unknown.length < 2 ? pruning.unknown : pruning.unknown.sort(compareBytes);
}

class Pruning {
  readonly unknown: string[] = [];
  /** Keys and indexes from the root to the current value. */
  readonly #path: (string | number)[] = [];

  prune(value: JsonValue, schema: Structural | undefined): void {
    if (typeof value !== 'object' || value === null) return;
    if (schema !== undefined && schema.preserveUnknownFields) this.#keepUnknown(value, schema);
    else if (Array.isArray(value)) this.#items(value, schema?.items, 'prune');
    else if (isJsonObject(value)) this.#object(value, schema);
  }

  #object(object: JsonObject, schema: Structural | undefined): void {
    for (const key of Object.keys(object)) {
      if (schema === undefined) {
        this.#drop(object, key);
        continue;
      }
      if (schema.embeddedResource && META_FIELDS.has(key)) continue;
      const property = schema.properties?.get(key);
      if (property !== undefined) this.#child(object, key, property);
      else if (schema.additionalPropertiesAllowed !== undefined) this.#child(object, key, schema.additionalProperties);
      else this.#drop(object, key);
    }
  }

  /**
   * Traverses a value below x-kubernetes-preserve-unknown-fields. Unknown fields are kept. The values of declared fields are pruned by
   * their own schemas.
   */
  #keepUnknown(value: JsonValue, schema: Structural | undefined): void {
    if (schema === undefined || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      this.#items(value, schema.items, 'keepUnknown');
      return;
    }
    if (!isJsonObject(value)) return;
    for (const key of Object.keys(value)) {
      if (schema.embeddedResource && META_FIELDS.has(key)) continue;
      const property = schema.properties?.get(key);
      if (property !== undefined) this.#child(value, key, property);
      else if (schema.additionalPropertiesAllowed !== undefined) this.#child(value, key, schema.additionalProperties);
    }
  }

  #child(object: JsonObject, key: string, schema: Structural | undefined): void {
    const value = object[key] as JsonValue;
    if (typeof value !== 'object') return;
    this.#path.push(key);
    this.prune(value, schema);
    this.#path.pop();
  }

  #items(list: JsonValue[], schema: Structural | undefined, visit: 'prune' | 'keepUnknown'): void {
    if (scalarList(list) !== undefined) return;
    for (let index = 0; index < list.length; index++) {
      const item = list[index] as JsonValue;
      if (typeof item !== 'object') continue;
      this.#path.push(index);
      if (visit === 'keepUnknown') this.#keepUnknown(item, schema);
      else this.prune(item, schema);
      this.#path.pop();
    }
  }

  #drop(object: JsonObject, key: string): void {
    if (!META_FIELDS.has(key) || this.#path.length > 0) {
      let path = '';
      for (const part of this.#path) path += typeof part === 'number' ? `[${part}]` : path === '' ? part : `.${part}`;
      this.unknown.push(path === '' ? key : `${path}.${key}`);
    }
    delete object[key];
  }
}
