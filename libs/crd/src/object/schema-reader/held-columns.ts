import { ColumnRoom, readJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { ValueSchema } from '#cel';

/** Documents in a row that may turn out not to be fit for columns before none is tried any more. */
const DISCOURAGED = 4;

// One document is read at a time, and nothing is left of its columns when the next one comes.
const ROOM = new ColumnRoom();

/** A field whose list is in a column during the judgement of its object. */
interface HeldColumn {
  readonly object: JsonObject;
  readonly name: string;
  /** Position of the list in the document: offsets in bytes. */
  readonly from: number;
  readonly to: number;
}

/** The columns of one document after the other, for one reader. */
export class HeldColumns {
  readonly room = ROOM;
  /** Schemas of the lists that are in columns. */
  readonly schemas: ReadonlySet<ValueSchema>;
  /** True if the current document cannot be read with columns. It may still be valid without columns. */
  isRefused = false;
  readonly #held: HeldColumn[] = [];
  readonly #leastBytes: number;
  #refusals = 0;

  /** @param leastBytes bytes of a document from which its lists are read in place */
  constructor(schemas: ReadonlySet<ValueSchema>, leastBytes: number) {
    this.schemas = schemas;
    this.#leastBytes = leastBytes;
  }

  /** Begins a document; false where columns are not worth it. */
  begin(bytes: Uint8Array): boolean {
    if (this.schemas.size === 0 || bytes.length < this.#leastBytes || this.#refusals >= DISCOURAGED) return false;
    this.room.begin(bytes.length);
    this.#held.length = 0;
    this.isRefused = false;
    return true;
  }

  /** Notes that a list does not fit a column, or that a rule cannot be evaluated over a column. */
  refuse(): void {
    this.isRefused = true;
    this.#refusals += 1;
  }

  /** Notes a field that is a column. */
  hold(object: JsonObject, name: string, from: number, to: number): void {
    this.#held.push({ object, name, from, to });
  }

  /** Makes the lists of an accepted object real: each one is read again when someone first asks for it. */
  settle(bytes: Uint8Array): void {
    this.#refusals = 0;
    for (const { object, name, from, to } of this.#held) defineLater(object, name, () => listIn(bytes.subarray(from, to)));
    this.#held.length = 0;
  }
}

function listIn(bytes: Uint8Array): JsonValue {
  const reading = readJson(bytes);
  if (!reading.ok) throw new Error(`a list that was read is none: ${reading.error}`);
  return reading.value;
}

/** Defines a field whose value is made when it is first looked at. */
function defineLater(object: JsonObject, name: string, make: () => JsonValue): void {
  const define = (value: JsonValue): JsonValue => {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  Object.defineProperty(object, name, { get: () => define(make()), set: define, enumerable: true, configurable: true });
}
