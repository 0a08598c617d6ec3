import { equalBytes, isJsonObject, readFirstDocument, refuseRest } from '#go';
import { badRequestStatus } from '#kube';
import { readSlice } from '#documents';
import type { FirstDocument, JsonValue } from '#go';
import type { Status } from '#kube';
import { compileStoredDefinition, RecentDefinitions } from '#crd';
import type { CompiledDefinition, Vocabulary } from '#crd';
import type { DefinitionText, DocumentSlice } from '#documents';
import { RUN_LIMITS } from '../limits.ts';
import { nodeEngine } from './node-linker.ts';
import type { EngineName } from './engine-names.ts';

/** Definition in the cache of a thread: compiled, or the reason why it cannot be compiled. */
export type CachedDefinition =
  | { readonly ok: true; readonly definition: CompiledDefinition }
  | { readonly ok: false; readonly status: Status };

/** Cache of compiled definitions by the digest of their text, for all CEL engines. The least recently used definition is dropped first. */
export class DefinitionCache {
  /** Cached definitions by digest. For engines other than the default `adaptive`, the key begins with the engine's name. */
  readonly #held = new Map<string, CachedDefinition>();
  /**
   * Cache of the definitions that were validated or compiled most recently. It saves reading the same definition for several Kubernetes
   * minor versions.
   */
  readonly recent = new RecentDefinitions();
  readonly #vocabulary: Vocabulary | undefined;
  #bound: number = RUN_LIMITS.cachedDefinitions;
  /**
   * Definition that was parsed last, with the result. It is kept because a definition is usually validated soon after it is cut from a text,
   * and compiled soon after it is validated. Parsing takes as long as compiling.
   */
  #last: { readonly slice: DocumentSlice; readonly reading: DocumentReading } | undefined;

  /** @param vocabulary keywords that schemas may contain; by default, the keywords of Kubernetes */
  constructor(vocabulary?: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /**
   * Ensures that all definitions of a chunk fit into the cache together. Returns the digests that are not cached. Marks all cached
   * definitions of the chunk as used, so that adding the missing definitions does not evict them.
   */
  missing(digests: readonly string[]): string[] {
    this.#bound = Math.max(RUN_LIMITS.cachedDefinitions, digests.length);
    return digests.filter((digest) => this.get(digest) === undefined);
  }

  get(digest: string): CachedDefinition | undefined {
    return this.#use(digest);
  }

  /**
   * Compiles a definition from its text and caches it. With the engine `measured`, evaluations also record the cost of each part of a rule.
   */
  compile(text: DefinitionText, { engine = 'adaptive' }: { readonly engine?: EngineName } = {}): CachedDefinition {
    const key = engine === 'adaptive' ? text.digest : `${engine} ${text.digest}`;
    const known = this.#use(key);
    if (known) return known;
    const entry = this.compileAgain(text, engine);
    this.#held.set(key, entry);
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= this.#bound) break;
      this.#held.delete(oldest);
    }
    return entry;
  }

  /**
   * Compiles a definition from its text for an engine, even if the cache contains it. Does not cache the result. Returns the error if the
   * text cannot be read or compiled.
   */
  compileAgain(text: DefinitionText, engine: EngineName): CachedDefinition {
    const { minor, gates } = text;
    const document = this.read(text);
    this.#last = undefined;
    if (!document.ok) return { ok: false, status: badRequestStatus(document.error) };
    // Threads receive only accepted definitions, so they compile a definition as a server compiles its stored form.
    const outcome = compileStoredDefinition(document.value, {
      minor,
      gates,
      engine: nodeEngine(engine),
      vocabulary: this.#vocabulary,
      recent: this.recent,
    });
    return outcome.ok ? { ok: true, definition: outcome.definition } : { ok: false, status: outcome.status };
  }

  /**
   * Parses a definition, and keeps its value until another definition is parsed. The value is used to compile the definition, or to compute
   * the verdict of another Kubernetes minor version on the same text. The caller must not change the value.
   */
  read(text: DefinitionText): ReadDocument {
    return documentOf(this.readFirst(text.slice));
  }

  /** Parses the first document of a definition's text, as a server does, and keeps the result like {@link read}. */
  readFirst(slice: DocumentSlice): DocumentReading {
    const last = this.#last;
    const reading = last !== undefined && isSameText(last.slice, slice) ? last.reading : readingOf(slice);
    this.#last = { slice, reading };
    return reading;
  }

  /** Keeps the result of parsing a definition that was cut from a text. The bytes are copied, because the text may be large. */
  keep({ bytes, notation }: DocumentSlice, reading: DocumentReading): void {
    this.#last = { slice: { bytes: bytes.slice(), notation }, reading };
  }

  #use(key: string): CachedDefinition | undefined {
    const found = this.#held.get(key);
    if (found) {
      this.#held.delete(key);
      this.#held.set(key, found);
    }
    return found;
  }
}

/** Result of reading a document: its value, or an error text if the document cannot be read. */
export type ReadDocument = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly error: string };

/** Result of parsing the first document of a text, by the notation of the text. */
export type DocumentReading = { readonly yaml: FirstDocument } | { readonly json: ReturnType<typeof readSlice> };

const isSameText = (a: DocumentSlice, b: DocumentSlice): boolean => a.notation === b.notation && equalBytes(a.bytes, b.bytes);

/** Parses one JSON or YAML document. Returns an error text if the document cannot be parsed or is not an object. */
export const readDocument = (slice: DocumentSlice): ReadDocument => documentOf(readingOf(slice));

const readingOf = (slice: DocumentSlice): DocumentReading =>
  slice.notation === 'yaml' ? { yaml: readFirstDocument(slice.bytes) } : { json: readSlice(slice) };

function documentOf(first: DocumentReading): ReadDocument {
  const reading = 'yaml' in first ? refuseRest(first.yaml) : first.json;
  if (!reading.ok) return reading;
  return isJsonObject(reading.value) ? { ok: true, value: reading.value } : { ok: false, error: 'the document is not an object' };
}
