import type { ObjectWrite, ValidationOptions } from '../../verdict.ts';
import type { AcceptedObject, ReadUpdate, SchemaReader } from './schema-reader.ts';

/**
 * Bytes that are read by the exact code before a reader is generated. Generating takes as long as the exact code needs for some hundred objects of the
 * schema's usual size; a definition of which few objects come never pays for it.
 */
const PATIENCE = 64 * 1024;
/** Objects in a row that a reader may be silent about before it is asked less often. */
const DISCOURAGED = 16;
/** Of how many objects a discouraged reader is asked about one. */
const SELDOM = 16;

/** A schema reader that is generated once it is worth it, and asked seldom where it is of no use: for objects that are mostly not ordinary. */
export class AdaptiveReader {
  readonly #generate: () => SchemaReader | undefined;
  #patience: number;
  /** Null once it is known that there is none. */
  #reader: SchemaReader | undefined | null;
  #silences = 0;
  #skipped = 0;

  /** @param patience bytes to wait for; 0 generates at the first object */
  constructor(generate: () => SchemaReader | undefined, patience: number = PATIENCE) {
    this.#generate = generate;
    this.#patience = patience;
  }

  /** Whether a body of so many bytes is to be read: not before a reader is worth it, and seldom where it is silent. */
  mayRead(length: number): boolean {
    if (this.#reader === null) return false;
    if (this.#patience > 0) {
      this.#patience -= length;
      return false;
    }
    return this.#silences < DISCOURAGED || ++this.#skipped % SELDOM === 0;
  }

  /** See {@link SchemaReader.read}. */
  read(bytes: Uint8Array, write: ObjectWrite, options: ValidationOptions): AcceptedObject | undefined {
    return this.#heard(this.#generated?.read(bytes, write, options));
  }

  /** See {@link SchemaReader.readUpdate}. */
  readUpdate(bytes: Uint8Array, write: ObjectWrite, options: ValidationOptions): ReadUpdate | undefined {
    return this.#heard(this.#generated?.readUpdate(bytes, write, options));
  }

  get #generated(): SchemaReader | undefined {
    this.#reader ??= this.#generate() ?? null;
    return this.#reader ?? undefined;
  }

  #heard<Read>(read: Read | undefined): Read | undefined {
    this.#silences = read === undefined ? this.#silences + 1 : 0;
    return read;
  }
}
