import { ColumnRoom, readJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { ValueSchema } from '#cel';
import { grouped } from '#numbers';

/**
 * Number of refusals in a row, by lists or rules that columns cannot handle, after which columns are no longer tried. An accepted document
 * with columns resets the number.
 */
const MAX_REFUSALS = 4;

// The room can be shared, because only one document is read at a time and its columns end with it.
const ROOM = new ColumnRoom();

/** Field whose list is stored in a column, without a value for each element, while the verdict on its object is computed. */
interface HeldColumn {
  readonly object: JsonObject;
  readonly name: string;
  /** Position of the list in the document: byte offsets of its start and its end. */
  readonly from: number;
  readonly to: number;
}

/**
 * Record of the lists that are stored in columns (compact arrays of scalars) instead of JavaScript arrays. Code that is generated for a
 * schema fills the columns while it reads a document. The columns are used for one document at a time.
 */
export class ColumnSet {
  readonly room = ROOM;
  /** Schemas of the lists that may be stored in columns. */
  readonly schemas: ReadonlySet<ValueSchema>;
  /** True if the current document cannot be read with columns. It may still be valid without columns. */
  isRefused = false;
  /** Number of lists of the last accepted document that were stored in columns. */
  #settled = 0;
  readonly #held: HeldColumn[] = [];
  readonly #minBytes: number;
  #refusals = 0;

  /** @param minBytes Minimum size in bytes of documents that are read with columns. */
  constructor(schemas: ReadonlySet<ValueSchema>, minBytes: number) {
    this.schemas = schemas;
    this.#minBytes = minBytes;
  }

  /**
   * Prepares the columns for the next document. Returns false if no list may become a column, the document is too small, or columns were
   * refused too often.
   */
  begin(bytes: Uint8Array): boolean {
    if (this.schemas.size === 0 || bytes.length < this.#minBytes || this.#refusals >= MAX_REFUSALS) return false;
    this.room.begin(bytes.length);
    this.#held.length = 0;
    this.isRefused = false;
    return true;
  }

  /** Records that a list does not fit into a column, or that a rule cannot be evaluated over a column. */
  refuse(): void {
    this.isRefused = true;
    this.#refusals += 1;
  }

  /**
   * Records that field `name` of `object` has its list in a column (values that are read in place) instead of an array. `from` and `to` are
   * the byte offsets of the list in the document.
   */
  hold(object: JsonObject, name: string, from: number, to: number): void {
    this.#held.push({ object, name, from, to });
  }

  /**
   * Returns the reason why the first document of a reader, with the given length in bytes, was read without columns. Returns undefined if it
   * was read with columns. The reader must have accepted the document.
   */
  obstacle(length: number): string | undefined {
    if (this.schemas.size === 0) return 'no list of the schema can become a column';
    if (length < this.#minBytes) return `the object has fewer than ${grouped(this.#minBytes)} bytes of JSON`;
    if (this.isRefused) return 'a list does not fit into a column, or a rule reads it in a way that columns do not support';
    return this.#settled === 0 ? 'the object has no list that can become a column' : undefined;
  }

  /** Restores the lists of an accepted object. Each list is parsed again from the document when it is first accessed. */
  settle(bytes: Uint8Array): void {
    this.#refusals = 0;
    this.#settled = this.#held.length;
    for (const { object, name, from, to } of this.#held) defineLater(object, name, () => listIn(bytes.subarray(from, to)));
    this.#held.length = 0;
  }
}

function listIn(bytes: Uint8Array): JsonValue {
  const reading = readJson(bytes);
  if (!reading.ok) throw new Error(`a list that was read is none: ${reading.error}`);
  return reading.value;
}

/** Defines a field whose value is created on first access. */
function defineLater(object: JsonObject, name: string, make: () => JsonValue): void {
  const define = (value: JsonValue): JsonValue => {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  Object.defineProperty(object, name, { get: () => define(make()), set: define, enumerable: true, configurable: true });
}
