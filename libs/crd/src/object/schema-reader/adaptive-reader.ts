import type { ObjectWrite, ValidationOptions } from '../../verdict.ts';
import type { AcceptedObject, ReadUpdate, SchemaReader } from './schema-reader.ts';

/**
 * Bytes that the exact code reads before a reader is generated. Generation takes as long as the exact code needs for
 * some hundred objects of usual size. So a definition with few objects never pays for it.
 */
const PATIENCE = 64 * 1024;
/** Objects in a row that a reader may be silent about before it is asked less often. */
const DISCOURAGED = 16;
/** Interval of objects at which a discouraged reader still runs. */
const SELDOM = 16;

/** A schema reader that is generated once it pays. If it accepts few of the objects, it runs only seldom. */
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

  /**
   * Returns true if the reader shall read a body of this length. It returns false until the reader pays, and mostly
   * false if the reader is discouraged.
   */
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
