import { equalBytes, Float, isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { decodeBody } from '../object/write/decode-body.ts';
import type { SchemaProps } from './schema-props.ts';

type BodyReading = ReturnType<typeof decodeBody>;

/**
 * Cache of recently read definitions. It saves time if Assay computes verdicts on one definition for several Kubernetes minor versions, and
 * then compiles this definition. Results do not depend on the cache.
 */
export class RecentDefinitions {
  readonly #schemas = new SchemasByContent();
  #last: { readonly bytes: Uint8Array; readonly contentType: string | undefined; readonly body: BodyReading } | undefined;

  /** Starts the next document. Returns the cache of schemas of this document and the previous document. */
  schemas(): SchemasByContent {
    this.#schemas.begin();
    return this.#schemas;
  }

  /**
   * Returns the result of reading a request body. If the body equals the last body, the cached result is returned, because all Kubernetes
   * minor versions read a body in the same way.
   */
  body(bytes: Uint8Array, contentType: string | undefined, read: () => BodyReading): BodyReading {
    const last = this.#last;
    if (last !== undefined && last.contentType === contentType && equalBytes(last.bytes, bytes)) return last.body;
    this.#last = undefined;
    const body = read();
    // The caller may overwrite its bytes, so the cache stores a copy.
    if (body.ok) this.#last = { bytes: bytes.slice(), contentType, body };
    return body;
  }
}

/**
 * Cache of decoded schemas by their JSON content. It keeps only schemas without errors and unknown fields, because error texts depend on
 * the path of a schema.
 */
export interface DecodedSchemas {
  get(json: JsonObject): SchemaProps | undefined;
  set(json: JsonObject, schema: SchemaProps): void;
}

/** Maximum length of a text that a cache key contains in full, in UTF-16 code units. A number represents a longer text. */
const LONG = 12;

/** Cache entry: the JSON content of an object, and the schema that was decoded from it. */
interface Content {
  readonly id: number;
  /** True if the content contains a float. */
  readonly holdsFloats: boolean;
  schema: SchemaProps | undefined;
}

/**
 * Cache of schemas by content. A definition repeats a schema if a Go type occurs at several fields and in each version. Equal schemas
 * become one object, so that results derived from a schema are computed once. The cache keeps contents of the current and the previous
 * document.
 */
class SchemasByContent implements DecodedSchemas {
  #young = new Map<string, Content>();
  #old = new Map<string, Content>();
  /** Contents by JSON object. An entry exists as long as its object is in memory. */
  readonly #contents = new WeakMap<JsonObject, Content>();
  #youngTexts = new Map<string, number>();
  #oldTexts = new Map<string, number>();
  #lastId = 0;
  /** True if a float was found in the object that is currently being converted to text. */
  #metFloat = false;

  /** Starts the next document. Contents that did not occur in the previous document are dropped. */
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

  /** Returns true if an object is known to contain no float. */
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

  /**
   * Returns the number that represents a long text in cache keys. Most long texts are descriptions. Keys that contain their full text would
   * be as long as the document.
   */
  #idOf(text: string): number {
    const id = this.#youngTexts.get(text) ?? this.#oldTexts.get(text) ?? ++this.#lastId;
    this.#youngTexts.set(text, id);
    return id;
  }

  /** Returns the text of the object's members in their order. The order matters because it determines the order of errors. */
  #membersText(json: JsonObject): string {
    let text = '';
    for (const key of Object.keys(json)) text += `${key.length}:${key}${this.#text(json[key] as JsonValue)}`;
    return text;
  }

  /**
   * Returns a text that is equal for two values only if the values are equal, including the types of numbers. No such text is a prefix of
   * another.
   */
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
