import { isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';

/**
 * Error for a document, such as an admission policy, that has a field of a wrong type. The message contains the path of the field and the
 * type of its value.
 */
export class Unreadable extends Error {}

/** Typed access to the fields of one JSON object. Absent fields and nulls are read as empty values, as in Go's structs. */
export class Fields {
  readonly #object: JsonObject;
  readonly #path: string;

  /** @param path location of the object in the document, for error messages */
  constructor(value: JsonValue | undefined, path: string) {
    if (value !== undefined && value !== null && !isJsonObject(value)) throw mismatch(path, 'an object', value);
    this.#object = value ?? {};
    this.#path = path;
  }

  has(name: string): boolean {
    return this.value(name) !== undefined;
  }

  /** Returns the raw value of a field, or undefined if the field is absent or null. */
  value(name: string): JsonValue | undefined {
    return this.#object[name] ?? undefined;
  }

  /** Returns the names of all fields. */
  names(): readonly string[] {
    return Object.keys(this.#object);
  }

  text(name: string): string {
    return this.optionalText(name) ?? '';
  }

  optionalText(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'string') return value;
    throw mismatch(this.#at(name), 'a string', value);
  }

  texts(name: string): readonly string[] {
    return this.list(name, (value, path) => {
      if (typeof value !== 'string') throw mismatch(path, 'a string', value);
      return value;
    });
  }

  /** Returns a field that is a map of strings. The map is empty if the field is absent. */
  textMap(name: string): ReadonlyMap<string, string> {
    const value = this.value(name);
    if (value === undefined) return new Map();
    if (!isJsonObject(value)) throw mismatch(this.#at(name), 'an object', value);
    return new Map(
      Object.entries(value).map(([key, text]) => {
        if (typeof text !== 'string') throw mismatch(`${this.#at(name)}.${key}`, 'a string', text);
        return [key, text];
      }),
    );
  }

  list<T>(name: string, read: (value: JsonValue, path: string) => T): readonly T[] {
    const value = this.value(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw mismatch(this.#at(name), 'a list', value);
    return value.map((element, i) => read(element, `${this.#at(name)}[${i}]`));
  }

  object(name: string): Fields {
    return new Fields(this.value(name), this.#at(name));
  }

  optionalObject(name: string): Fields | undefined {
    return this.has(name) ? this.object(name) : undefined;
  }

  #at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }
}

function mismatch(path: string, expected: string, value: JsonValue): Unreadable {
  const found = value === null ? 'null' : Array.isArray(value) ? 'a list' : isJsonObject(value) ? 'an object' : `a ${typeof value}`;
  return new Unreadable(`${path === '' ? 'the document' : path} must be ${expected}, not ${found}`);
}
