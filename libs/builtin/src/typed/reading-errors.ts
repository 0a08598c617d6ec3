import { goQuote, isJsonObject, writeJson } from '#go';
import type { JsonValue } from '#go';
import type { GoType, StructField, StructType } from '../table/go-type.ts';

/** Highest number of reported strict errors. Source: sigs.k8s.io/json `saveStrictError`. */
const MAX_STRICT_ERRORS = 100;

/** An error that ends the reading at once: of a type that reads itself from JSON. */
export class OwnDecoderError extends Error {}

/**
 * Position and errors of a decoder. Go's decoder notes the first value of a wrong type and reads on. It stops if a
 * type's own decoder refuses a value. Unknown fields are noted by their path in JSON. Source: sigs.k8s.io/json
 * internal/golang/encoding/json/decode.go, kubernetes_patch.go (1.30 to 1.37).
 */
export class ReadingErrors {
  /** The text of the first error. */
  first: string | undefined;
  private readonly strict = new Set<string>();
  /** Go names of the fields that lead here. */
  private readonly names: string[] = [];
  /** Keys and indices that lead here, as strict errors show them. */
  private readonly steps: string[] = [];
  private struct: StructType | undefined;
  private readonly namesEmbedded: boolean;
  private readonly duplicates: ReadonlySet<string>;

  /**
   * @param namesEmbedded whether paths name embedded structs, see the ledger
   * @param duplicates paths of keys that the document had twice
   */
  constructor(namesEmbedded: boolean, duplicates: readonly string[]) {
    this.namesEmbedded = namesEmbedded;
    this.duplicates = new Set(duplicates);
  }

  /** Errors of strict decoding in the order of the document, without repetitions. */
  get strictErrors(): string[] {
    return [...this.strict];
  }

  /** Reads the value of a struct's field. */
  inField<T>(struct: StructType, field: StructField, read: () => T): T {
    const { struct: outer } = this;
    const depth = this.names.length;
    this.struct = struct;
    if (this.namesEmbedded) this.names.push(...field.embeddedIn);
    this.names.push(field.name);
    const value = this.inKey(field.name, read);
    this.names.length = depth;
    this.struct = outer;
    return value;
  }

  /** Reads an entry of a map, or the value of a struct's field. */
  inKey<T>(key: string, read: () => T): T {
    if (this.duplicates.size > 0 && this.duplicates.has(this.path(key))) this.complain('duplicate field', key);
    return this.below(`.${key}`, read);
  }

  /** Reads an element of a list. */
  inItem<T>(index: number, read: () => T): T {
    return this.below(`[${index}]`, read);
  }

  private below<T>(step: string, read: () => T): T {
    this.steps.push(step);
    const value = read();
    this.steps.pop();
    return value;
  }

  /** Notes a field that the struct does not have. */
  unknown(key: string): void {
    this.complain('unknown field', key);
  }

  private complain(what: string, key: string): void {
    if (this.strict.size < MAX_STRICT_ERRORS) this.strict.add(`${what} ${goQuote(this.path(key))}`);
  }

  private path(key: string): string {
    return `${this.steps.join('')}.${key}`.slice(1);
  }

  /** Notes a value that the type cannot hold. */
  mismatch(value: JsonValue, type: GoType | { readonly kind: 'int32' | 'string'; readonly text: string }): void {
    this.first ??= this.mismatchText(value, type);
  }

  /** Notes an error that has a text of its own. */
  note(text: string): void {
    this.first ??= text;
  }

  /** Returns Go's error text for a value that the type cannot hold. */
  mismatchText(value: JsonValue, type: { readonly kind: string; readonly text: string }): string {
    const place =
      this.struct === undefined
        ? 'Go value'
        : `Go struct field ${this.struct.name.slice(this.struct.name.lastIndexOf('.') + 1)}.${this.names.join('.')}`;
    return `json: cannot unmarshal ${shownValue(value, type.kind)} into ${place} of type ${type.text}`;
  }
}

/** Returns a value in a decode error. Go shows numbers that an integer type cannot hold. */
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
