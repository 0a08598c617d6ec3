import { Float, goQuote, isJsonInt, isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Structural } from '../structural/structural.ts';

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
