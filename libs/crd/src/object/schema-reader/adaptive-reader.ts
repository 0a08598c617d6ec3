import type { ObjectWrite, ValidationOptions } from '../../verdict.ts';
import type { AcceptedObject, ReadUpdate, SchemaReader } from './schema-reader.ts';

/**
 * Number of bytes that are validated exactly before a reader is generated. Generating a reader takes as long as the exact validation of
 * some hundred objects of usual size. Therefore no reader is generated for a definition with few objects.
 */
const WARMUP_BYTES = 64 * 1024;
/** Number of consecutive objects that a reader may fail to accept before it runs less often. */
const MAX_MISSES = 16;
/** Interval, in objects, at which a reader still runs after it failed to accept too many objects. */
const RETRY_INTERVAL = 16;

/**
 * Schema reader that accepts valid objects quickly, with code that is generated for the schema. The code is generated only after enough
 * bytes of objects were validated by the slower exact validation. If the code fails to accept 16 consecutive objects, it is used only for
 * each 16th object.
 */
export class AdaptiveReader {
  readonly #generate: () => SchemaReader | undefined;
  #warmupBytes: number;
  /** Generated reader; undefined before its generation, and null if none could be generated. */
  #reader: SchemaReader | undefined | null;
  #misses = 0;
  #skipped = 0;

  /**
   * @param warmupBytes Number of bytes that are validated exactly before the reader is generated. With 0, the reader is generated for the
   * first object.
   */
  constructor(generate: () => SchemaReader | undefined, warmupBytes: number = WARMUP_BYTES) {
    this.#generate = generate;
    this.#warmupBytes = warmupBytes;
  }

  /**
   * Returns true if the reader should read a body with the given length in bytes. Returns false before the reader is generated, and for
   * most bodies after the reader failed to accept many objects.
   */
  mayRead(length: number): boolean {
    if (this.#reader === null) return false;
    if (this.#warmupBytes > 0) {
      this.#warmupBytes -= length;
      return false;
    }
    return this.#misses < MAX_MISSES || ++this.#skipped % RETRY_INTERVAL === 0;
  }

  /** Reads a create, see {@link SchemaReader.read}. */
  read(bytes: Uint8Array, write: ObjectWrite, options: ValidationOptions): AcceptedObject | undefined {
    return this.#counted(this.#generated?.read(bytes, write, options));
  }

  /** Reads an update, see {@link SchemaReader.readUpdate}. */
  readUpdate(bytes: Uint8Array, write: ObjectWrite, options: ValidationOptions): ReadUpdate | undefined {
    return this.#counted(this.#generated?.readUpdate(bytes, write, options));
  }

  get #generated(): SchemaReader | undefined {
    this.#reader ??= this.#generate() ?? null;
    return this.#reader ?? undefined;
  }

  #counted<Read>(read: Read | undefined): Read | undefined {
    this.#misses = read === undefined ? this.#misses + 1 : 0;
    return read;
  }
}
