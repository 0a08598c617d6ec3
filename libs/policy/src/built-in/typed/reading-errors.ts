import { goQuote, isJsonObject, writeJson } from '#go';
import type { JsonValue } from '#go';
import type { GoType, GoStructField, StructType } from '../table/go-type.ts';

/** Maximum number of reported strict errors. Source: sigs.k8s.io/json `saveStrictError`. */
const MAX_STRICT_ERRORS = 100;

/**
 * Error from decoding a value whose Go type has its own JSON decoder, such as Quantity. It ends the decoding of the whole object
 * immediately, unlike a value of a wrong type, after which decoding continues.
 */
export class OwnDecoderError extends Error {}

/**
 * Current position and collected errors of a decoder. Like Go's decoder, it records the first value of a wrong type and continues. Decoding
 * stops if a type's own decoder rejects a value. Unknown fields are recorded by their path in JSON. Source: sigs.k8s.io/json
 * internal/golang/encoding/json/decode.go, kubernetes_patch.go (1.30 to 1.37).
 */
export class ReadingErrors {
  /** Text of the first error, except strict errors. Undefined if there was no such error. */
  first: string | undefined;
  readonly #strict = new Set<string>();
  /** Go names of the fields on the path to the current position. */
  readonly #names: string[] = [];
  /** Keys and indices on the path to the current position, as strict errors show them. */
  readonly #steps: string[] = [];
  #struct: StructType | undefined;
  readonly #namesEmbedded: boolean;
  readonly #duplicates: ReadonlySet<string>;

  /**
   * @param namesEmbedded True if paths contain the names of embedded structs, see `BUILTIN_DIFFERENCES`.
   * @param duplicates Paths of keys that occurred more than once in the document.
   */
  constructor(namesEmbedded: boolean, duplicates: readonly string[]) {
    this.#namesEmbedded = namesEmbedded;
    this.#duplicates = new Set(duplicates);
  }

  /** Errors of strict decoding in the order of the document, without repetitions. */
  get strictErrors(): string[] {
    return [...this.#strict];
  }

  /** Adds a struct's field to the current position while `read` reads the value of the field. */
  inField<T>(struct: StructType, field: GoStructField, read: () => T): T {
    const outer = this.#struct;
    const depth = this.#names.length;
    this.#struct = struct;
    if (this.#namesEmbedded) this.#names.push(...field.embeddedIn);
    this.#names.push(field.name);
    const value = this.inKey(field.name, read);
    this.#names.length = depth;
    this.#struct = outer;
    return value;
  }

  /**
   * Adds a key to the current position while `read` reads the value of a map entry or struct field. Records an error if the document
   * contains the key more than once.
   */
  inKey<T>(key: string, read: () => T): T {
    if (this.#duplicates.size > 0 && this.#duplicates.has(this.#path(key))) this.#complain('duplicate field', key);
    return this.#below(`.${key}`, read);
  }

  /** Adds an index to the current position while `read` reads a list element. */
  inItem<T>(index: number, read: () => T): T {
    return this.#below(`[${index}]`, read);
  }

  #below<T>(step: string, read: () => T): T {
    this.#steps.push(step);
    const value = read();
    this.#steps.pop();
    return value;
  }

  /** Records a strict error for a key that is not a field of the struct. */
  unknown(key: string): void {
    this.#complain('unknown field', key);
  }

  #complain(what: string, key: string): void {
    if (this.#strict.size < MAX_STRICT_ERRORS) this.#strict.add(`${what} ${goQuote(this.#path(key))}`);
  }

  #path(key: string): string {
    return `${this.#steps.join('')}.${key}`.slice(1);
  }

  /** Records an error for a value of a wrong type, unless an earlier error was recorded. */
  mismatch(value: JsonValue, type: GoType | { readonly kind: 'int32' | 'string'; readonly text: string }): void {
    this.first ??= this.mismatchText(value, type);
  }

  /** Records an error with the given text, unless an earlier error was recorded. */
  note(text: string): void {
    this.first ??= text;
  }

  /** Returns Go's error message for a value of a wrong type. */
  mismatchText(value: JsonValue, type: { readonly kind: string; readonly text: string }): string {
    const place =
      this.#struct === undefined
        ? 'Go value'
        : `Go struct field ${this.#struct.name.slice(this.#struct.name.lastIndexOf('.') + 1)}.${this.#names.join('.')}`;
    return `json: cannot unmarshal ${shownValue(value, type.kind)} into ${place} of type ${type.text}`;
  }
}

/**
 * Returns the text that a decode error shows for a value. If the value is a number that an integer type cannot represent, the text is the
 * number itself. For any other value, it is the name of the JSON kind.
 */
function shownValue(value: JsonValue, kind: string): string {
  const name = jsonKind(value);
  const isInteger = kind === 'int32' || kind === 'int64' || kind === 'uint8';
  return name === 'number' && isInteger ? `number ${writeJson(value)}` : name;
}

/** Returns Go's name for the JSON kind of a value. */
function jsonKind(value: JsonValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  return isJsonObject(value) ? 'object' : 'number';
}
