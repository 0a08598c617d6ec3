import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { isJsonObject, readStreamPart, splitDocuments, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { FileAccess } from '../files/file-access.ts';
import { FILE_LIMITS } from '../files/file-problem.ts';
import type { InputFile } from '../documents/read-inputs.ts';
import { UsageError } from '../usage.ts';

/** Document in a file that a suite names, together with the name of the file. */
export interface SuiteDocument {
  readonly file: string;
  readonly document: JsonObject;
}

/** Text of a suite file, and the right to read the files to which it refers. */
export interface SuiteText {
  readonly file: string;
  readonly text: string;
  /** Right to read the files of the repository that contains the suite. */
  readonly access: FileAccess;
}

/**
 * Files to which a test suite refers by paths relative to the suite's folder. Each file is read once. Reading throws {@link UsageError} if
 * a file cannot be used.
 */
export class SuiteFiles {
  readonly #folder: string;
  readonly #access: FileAccess;
  readonly #digest = createHash('sha256');
  readonly #read = new Map<string, InputFile>();

  /** Creates an empty set of files for a suite. */
  constructor({ file, text, access }: SuiteText) {
    this.#folder = dirname(file);
    this.#access = access;
    this.#digest.update(text);
  }

  /** Paths of all files that were read. */
  get names(): readonly string[] {
    return [...this.#read.keys()];
  }

  /** Digest that changes if the suite or any file that was read for it changes. */
  get digest(): string {
    return this.#digest.copy().digest('hex');
  }

  /** Reads a file and returns its name and bytes. */
  input(path: string): InputFile {
    const name = join(this.#folder, path);
    const known = this.#read.get(name);
    if (known) return known;
    const reading = this.#access.read(name, FILE_LIMITS.source);
    if (!reading.ok) throw new UsageError(`${name}: ${reading.problem}`);
    const read = { name, bytes: reading.content };
    this.#read.set(name, read);
    this.#digest.update(read.bytes);
    return read;
  }

  /** Returns the objects in the documents of a file. Lists are replaced by their items. */
  documents(path: string): SuiteDocument[] {
    const { name, bytes } = this.input(path);
    return [...splitDocuments(bytes)].flatMap((part) => {
      this.#access.poll();
      const reading = readStreamPart(part);
      if (!reading.ok) throw new UsageError(`${name}: ${reading.error}`);
      return unpacked(reading.value).map((document) => ({ file: name, document }));
    });
  }

  /** Returns the only document of a file. Throws {@link UsageError} if the file does not contain exactly one document. */
  document(path: string): JsonObject {
    const [first, ...more] = this.documents(path);
    if (first === undefined || more.length > 0)
      throw new UsageError(`${join(this.#folder, path)}: expected one object, found ${first === undefined ? 'none' : more.length + 1}`);
    return first.document;
  }
}

function unpacked(value: JsonValue): JsonObject[] {
  if (!isJsonObject(value)) return [];
  const { kind, items } = value;
  const isList = typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items);
  return isList ? items.filter(isJsonObject) : [value];
}

/** Returns an input file that contains documents generated for a suite. */
export function madeInput(name: string, documents: readonly (JsonObject | object)[]): InputFile {
  const texts = documents.map((document) => writeJson(document as JsonObject));
  return { name, bytes: Buffer.from(texts.join('\n---\n')) };
}

/** Returns a document as plain JavaScript values, so that a schema can parse it. */
export const plainValues = (document: JsonObject): unknown => JSON.parse(writeJson(document)) as unknown;
