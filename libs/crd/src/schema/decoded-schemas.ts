import { Float, isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { SchemaProps } from './schema-props.ts';

/** Schemas that were decoded before, by their JSON. Kept are those of which there was nothing to say, so that what they are does not depend on where they stand. */
export interface DecodedSchemas {
  get(json: JsonObject): SchemaProps | undefined;
  set(json: JsonObject, schema: SchemaProps): void;
}

/** UTF-16 code units from which on a text goes by a number. */
const LONG = 12;

/** A content that was met, and the schema that it is. */
interface Content {
  readonly id: number;
  /** Whether a float stands somewhere in it. */
  readonly holdsFloats: boolean;
  schema: SchemaProps | undefined;
}

/**
 * Schemas by content: definitions repeat themselves wherever a Go type stands at several fields and in each version, and equal schemas then are one object,
 * so that whatever follows from a schema alone is found out once. Contents that are neither in the document that is read nor in the one before are forgotten.
 */
export class SchemasByContent implements DecodedSchemas {
  #young = new Map<string, Content>();
  #old = new Map<string, Content>();
  /** Contents of the objects of the documents that are still in use. */
  readonly #contents = new WeakMap<JsonObject, Content>();
  #youngTexts = new Map<string, number>();
  #oldTexts = new Map<string, number>();
  #lastId = 0;
  /** Whether a float was met in the object whose text is being made. */
  #metFloat = false;

  /** Says that another document begins. */
  begin(): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#oldTexts = this.#youngTexts;
    this.#youngTexts = new Map();
  }

  get(json: JsonObject): SchemaProps | undefined {
    return this.#contentOf(json).schema;
  }

  set(json: JsonObject, schema: SchemaProps): void {
    this.#contentOf(json).schema = schema;
  }

  /** Whether it is known of an object that no float stands in it. */
  isFreeOfFloats(json: JsonObject): boolean {
    return this.#contents.get(json)?.holdsFloats === false;
  }

  #contentOf(json: JsonObject): Content {
    const known = this.#contents.get(json);
    if (known !== undefined) {
      this.#metFloat ||= known.holdsFloats;
      return known;
    }
    const outside = this.#metFloat;
    this.#metFloat = false;
    const text = this.#membersText(json);
    const holdsFloats = this.#metFloat;
    this.#metFloat = outside || holdsFloats;
    const content = this.#young.get(text) ?? this.#old.get(text) ?? { id: ++this.#lastId, holdsFloats, schema: undefined };
    this.#young.set(text, content);
    this.#contents.set(json, content);
    return content;
  }

  /** Long texts, most of them descriptions, go by numbers: contents that repeat them would be as long as the document. */
  #idOf(text: string): number {
    const id = this.#youngTexts.get(text) ?? this.#oldTexts.get(text) ?? ++this.#lastId;
    this.#youngTexts.set(text, id);
    return id;
  }

  /** Members in their order, since errors are told in it. */
  #membersText(json: JsonObject): string {
    let text = '';
    for (const key of Object.keys(json)) text += `${key.length}:${key}${this.#text(json[key] as JsonValue)}`;
    return text;
  }

  /** A text that two values share only where they are equal, types of numbers included. No text begins another one. */
  #text(value: JsonValue): string {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- objects follow below
    switch (typeof value) {
      case 'string':
        return value.length > LONG ? `s${this.#idOf(value)};` : `"${value.length}:${value}`;
      case 'number':
        return Object.is(value, -0) ? 'n-0;' : `n${value};`;
      case 'bigint':
        return `b${value};`;
      case 'boolean':
        return value ? 't' : 'f';
      default:
        return this.#textOfCompound(value);
    }
  }

  #textOfCompound(value: Exclude<JsonValue, string | number | bigint | boolean>): string {
    if (value === null) return '0';
    if (value instanceof Float) this.#metFloat = true;
    if (value instanceof Float) return Object.is(value.value, -0) ? 'F-0;' : `F${value.value};`;
    if (isJsonObject(value)) return `{${this.#contentOf(value).id};`;
    let text = `[${value.length};`;
    for (const item of value) text += this.#text(item);
    return text;
  }
}
