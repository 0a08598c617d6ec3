import { Float, goQuote, isJsonInt, isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Structural } from '../structural/structural.ts';

/**
 * Items of a map list by their keys, which must all be there and be scalars. The first of several items with one key counts.
 * Source: k8s.io/apiserver/pkg/cel/common/maplist.go (1.37).
 */
export class MapListIndex {
  private readonly keyFields: readonly string[];
  /** The name of the only key, where there is one. */
  private readonly only: string | undefined;
  /** Items whose only key is a text, by that text. */
  private readonly byText = new Map<string, JsonValue>();
  private readonly byKey = new Map<string, JsonValue>();

  constructor(schema: Structural, items: readonly JsonValue[]) {
    const indexed = schema.type === 'array' && schema.listType === 'map' && schema.listMapKeys.length > 0;
    this.keyFields = indexed ? schema.listMapKeys : [];
    this.only = this.keyFields.length === 1 ? this.keyFields[0] : undefined;
    for (const item of items) {
      const text = this.textOf(item);
      const key = text ?? this.keyOf(item);
      const map = text === undefined ? this.byKey : this.byText;
      if (key !== undefined && !map.has(key)) map.set(key, item);
    }
  }

  /** The item with the keys of the given one. */
  get(item: JsonValue): JsonValue | undefined {
    const text = this.textOf(item);
    if (text !== undefined) return this.byText.get(text);
    const key = this.keyOf(item);
    return key === undefined ? undefined : this.byKey.get(key);
  }

  private textOf(item: JsonValue): string | undefined {
    const value = this.only !== undefined && isJsonObject(item) ? item[this.only] : undefined;
    return typeof value === 'string' ? value : undefined;
  }

  /**
   * Returns the key of an item: the value of a single key field, or one text for several fields. Floats never equal
   * integers.
   */
  private keyOf(item: JsonValue): string | undefined {
    if (this.keyFields.length === 0 || !isJsonObject(item)) return undefined;
    let composite = '';
    for (const field of this.keyFields) {
      const part = scalarKey(item, field, this.keyFields.length > 1);
      if (part === undefined) return undefined;
      composite += `\0${part}`;
    }
    return composite;
  }
}

/** Returns a key field as text; undefined when it is absent or no scalar. Alone, types are told apart; among several, Go's verbs are not. */
function scalarKey(item: JsonObject, field: string, several: boolean): string | undefined {
  const value = item[field];
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'boolean') return String(value);
  if (isJsonInt(value)) return String(value);
  const float = value instanceof Float ? value.value : typeof value === 'number' ? value : undefined;
  if (float === undefined) return undefined;
  return several ? float.toFixed(6) : `float ${float + 0}`;
}
