import { isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';

/** A document that does not fit its kind. The text names the field and its value. */
export class Unreadable extends Error {}

/** The fields of one JSON object, read by type. Absent fields and nulls are as good as empty, as in Go's structs. */
export class Fields {
  readonly #object: JsonObject;
  readonly #path: string;

  /** @param path where the object stands, for errors */
  constructor(value: JsonValue | undefined, path: string) {
    if (value !== undefined && value !== null && !isJsonObject(value)) throw mismatch(path, 'an object', value);
    this.#object = value ?? {};
    this.#path = path;
  }

  has(name: string): boolean {
    return this.value(name) !== undefined;
  }

  /** The raw value of a field; undefined for null. */
  value(name: string): JsonValue | undefined {
    return this.#object[name] ?? undefined;
  }

  /** Names of all fields. */
  names(): readonly string[] {
    return Object.keys(this.#object);
  }

  text(name: string): string {
    return this.optionalText(name) ?? '';
  }

  optionalText(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'string') return value;
    throw mismatch(this.at(name), 'a string', value);
  }

  texts(name: string): readonly string[] {
    return this.list(name, (value, path) => {
      if (typeof value !== 'string') throw mismatch(path, 'a string', value);
      return value;
    });
  }

  /** A map of texts. */
  textMap(name: string): ReadonlyMap<string, string> {
    const value = this.value(name);
    if (value === undefined) return new Map();
    if (!isJsonObject(value)) throw mismatch(this.at(name), 'an object', value);
    return new Map(
      Object.entries(value).map(([key, text]) => {
        if (typeof text !== 'string') throw mismatch(`${this.at(name)}.${key}`, 'a string', text);
        return [key, text];
      }),
    );
  }

  list<T>(name: string, read: (value: JsonValue, path: string) => T): readonly T[] {
    const value = this.value(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw mismatch(this.at(name), 'a list', value);
    return value.map((element, i) => read(element, `${this.at(name)}[${i}]`));
  }

  object(name: string): Fields {
    return new Fields(this.value(name), this.at(name));
  }

  optionalObject(name: string): Fields | undefined {
    return this.has(name) ? this.object(name) : undefined;
  }

  private at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }
}

function mismatch(path: string, expected: string, value: JsonValue): Unreadable {
  const found = value === null ? 'null' : Array.isArray(value) ? 'a list' : isJsonObject(value) ? 'an object' : `a ${typeof value}`;
  return new Unreadable(`${path === '' ? 'the document' : path} must be ${expected}, not ${found}`);
}
