import { badRequestStatus, isJsonObject } from '#kube';
import { readSlice } from '#evaluation';
import type { JsonValue, Server, Status } from '#kube';
import { compileStoredDefinition } from '#crd';
import type { CompiledDefinition } from '#crd';
import type { DefinitionText, DocumentSlice } from '#evaluation';
import { RUN_LIMITS } from '../limits.ts';

/** A definition as a thread holds it: ready for use, or the reason why not. */
export type CachedDefinition =
  { readonly ok: true; readonly definition: CompiledDefinition } | { readonly ok: false; readonly status: Status };

/** Compiled definitions by digest, the least recently used forgotten first. */
export class DefinitionCache {
  readonly #byDigest = new Map<string, CachedDefinition>();
  #bound: number = RUN_LIMITS.cachedDefinitions;

  /** Makes sure that a chunk's definitions can be held together, and says which are not here yet. Those that are will not be forgotten for them. */
  missing(digests: readonly string[]): string[] {
    this.#bound = Math.max(RUN_LIMITS.cachedDefinitions, digests.length);
    return digests.filter((digest) => this.get(digest) === undefined);
  }

  get(digest: string): CachedDefinition | undefined {
    const found = this.#byDigest.get(digest);
    if (found) {
      this.#byDigest.delete(digest);
      this.#byDigest.set(digest, found);
    }
    return found;
  }

  /** Compiles a definition from its text and keeps it. */
  compile({ digest, slice, minor, gates }: DefinitionText): CachedDefinition {
    const known = this.get(digest);
    if (known) return known;
    const document = readDocument(slice);
    const entry: CachedDefinition = document.ok
      ? compiled(document.value, { minor, gates })
      : { ok: false, status: badRequestStatus(document.error) };
    this.#byDigest.set(digest, entry);
    for (const oldest of this.#byDigest.keys()) {
      if (this.#byDigest.size <= this.#bound) break;
      this.#byDigest.delete(oldest);
    }
    return entry;
  }
}

function compiled(document: JsonValue, server: Server): CachedDefinition {
  // Only definitions that were judged and accepted are handed to threads: here they are what the server has stored.
  const outcome = compileStoredDefinition(document, server);
  return outcome.ok ? { ok: true, definition: outcome.definition } : { ok: false, status: outcome.status };
}

/** A document's value, or the text of what is wrong with it. */
export function readDocument(
  slice: DocumentSlice,
): { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly error: string } {
  const reading = readSlice(slice);
  if (!reading.ok) return reading;
  return isJsonObject(reading.value) ? { ok: true, value: reading.value } : { ok: false, error: 'the document is not an object' };
}
