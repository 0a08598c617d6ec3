import { Float, goQuote, isJsonInt, isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Structural } from '../structural/structural.ts';

/**
 * Items of a map list by their keys, which must all be there and be scalars. The first of several items with one key counts.
 * Source: k8s.io/apiserver/pkg/cel/common/maplist.go (1.37).
 */
export class MapListIndex {
  private readonly keyFields: readonly string[];
  private readonly byKey = new Map<JsonValue, JsonValue>();

  constructor(schema: Structural, items: readonly JsonValue[]) {
    const indexed = schema.type === 'array' && schema.listType === 'map' && schema.listMapKeys.length > 0;
    this.keyFields = indexed ? schema.listMapKeys : [];
    for (const item of items) {
      const key = this.keyOf(item);
      if (key !== undefined && !this.byKey.has(key)) this.byKey.set(key, item);
    }
  }

  /** The item with the keys of the given one. */
  get(item: JsonValue): JsonValue | undefined {
    const key = this.keyOf(item);
    return key === undefined ? undefined : this.byKey.get(key);
  }

  /** One key is compared as it is, several as a text; floats never equal integers. */
  private keyOf(item: JsonValue): JsonValue | undefined {
    if (this.keyFields.length === 0 || !isJsonObject(item)) return undefined;
    const alone = this.keyFields.length === 1 ? item[this.keyFields[0] as string] : undefined;
    // A text by itself needs no quotes around what it holds to be told from all others.
    if (typeof alone === 'string') return `"${alone}`;
    let composite = '';
    for (const field of this.keyFields) {
      const part = scalarKey(item, field, this.keyFields.length > 1);
      if (part === undefined) return undefined;
      composite += `\0${part}`;
    }
    return composite;
  }
}

/** A key field as text; undefined when it is absent or no scalar. Alone, types are told apart; among several, Go's verbs are not. */
function scalarKey(item: JsonObject, field: string, several: boolean): string | undefined {
  const value = item[field];
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'boolean') return String(value);
  if (isJsonInt(value)) return String(value);
  const float = value instanceof Float ? value.value : typeof value === 'number' ? value : undefined;
  if (float === undefined) return undefined;
  return several ? float.toFixed(6) : `float ${float + 0}`;
}
