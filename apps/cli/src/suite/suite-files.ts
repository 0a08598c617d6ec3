import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject, readYaml, splitDocuments, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { reasonOf } from '../find-files.ts';
import type { InputFile } from '../read-inputs.ts';
import { UsageError } from '../usage.ts';

/** A document of a file that a suite names, with the file. */
export interface SuiteDocument {
  readonly file: string;
  readonly document: JsonObject;
}

/** The files that a suite names, each read once, relative to the suite's folder. Reading throws {@link UsageError} for what cannot be used. */
export class SuiteFiles {
  readonly #folder: string;
  readonly #digest = createHash('sha256');
  readonly #read = new Map<string, InputFile>();

  /** @param text of the suite itself */
  constructor(suiteFile: string, text: string) {
    this.#folder = dirname(suiteFile);
    this.#digest.update(text);
  }

  /** Paths of all files that were read. */
  get names(): readonly string[] {
    return [...this.#read.keys()];
  }

  /** Another one when the suite or a file of it is no longer the same. */
  get digest(): string {
    return this.#digest.copy().digest('hex');
  }

  /** The bytes of a file. */
  input(path: string): InputFile {
    const name = join(this.#folder, path);
    const known = this.#read.get(name);
    if (known) return known;
    try {
      const read = { name, bytes: readFileSync(name) };
      this.#read.set(name, read);
      this.#digest.update(read.bytes);
      return read;
    } catch (error) {
      throw new UsageError(`${name}: ${reasonOf(error)}`);
    }
  }

  /** The objects among the documents of a file, lists unpacked. */
  documents(path: string): SuiteDocument[] {
    const { name, bytes } = this.input(path);
    return [...splitDocuments(bytes)].flatMap((part) => {
      const reading = readYaml(part.bytes);
      if (!reading.ok) throw new UsageError(`${name}: ${reading.error}`);
      return unpacked(reading.value).map((document) => ({ file: name, document }));
    });
  }

  /** The one document of a file. */
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

/** Returns an input that holds documents made for a suite. */
export function madeInput(name: string, documents: readonly (JsonObject | object)[]): InputFile {
  const texts = documents.map((document) => writeJson(document as JsonObject));
  return { name, bytes: Buffer.from(texts.join('\n---\n')) };
}

/** Returns a document as plain JavaScript values, for a schema to parse. */
export const plain = (document: JsonObject): unknown => JSON.parse(writeJson(document)) as unknown;
