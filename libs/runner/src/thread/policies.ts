import { LRUCache } from 'lru-cache';
import { parsePolicyText, readSlice } from '#documents';
import type { DefinitionText, FieldValidation, PolicyReport, PolicyText } from '#documents';
import { isJsonObject } from '#go';
import type { CancellationToken, JsonObject } from '#go';
import { badRequestStatus } from '#kube';
import type { Status } from '#kube';
import {
  checkTypes,
  compileAdmission,
  idleReasons,
  ObjectSchemas,
  readValidatingPolicy,
  reviewPolicy,
  serverKinds,
  Unreadable,
} from '#policy';
import type { AdmissionPolicies, PolicyDocuments, TypeCheckingServer } from '#policy';
import { NODE_ENGINE } from './node-linker.ts';

/** Policies in the cache of a thread: compiled, or the reason why they cannot be compiled. */
export type CachedPolicies = { readonly ok: true; readonly policies: AdmissionPolicies } | { readonly ok: false; readonly status: Status };

/** Maximum number of evaluations whose compiled policies a thread caches. */
const KEPT = 8;

/** Cache of compiled admission policies by the digest of their text. The least recently used policies are dropped first. */
export class PolicyCache {
  readonly #held = new LRUCache<string, CachedPolicies>({ max: KEPT });

  get(digest: string): CachedPolicies | undefined {
    return this.#held.get(digest);
  }

  /** Compiles the policies of a text and caches the result. If the token requests cancellation, throws `Cancelled` and caches nothing. */
  compile(text: DefinitionText, token: CancellationToken): CachedPolicies {
    const entry = this.#held.get(text.digest) ?? compiled(text, token);
    this.#held.set(text.digest, entry);
    return entry;
  }
}

function compiled(text: DefinitionText, token: CancellationToken): CachedPolicies {
  const { minor, gates } = text;
  const documents = readPolicyText(text);
  if (!documents.ok) return { ok: false, status: badRequestStatus(documents.error) };
  const result = compileAdmission(documents.documents, { minor, gates, engine: NODE_ENGINE, token });
  return result.ok ? result : { ok: false, status: badRequestStatus(result.error) };
}

/** Documents of a text with policies, or the error of a document that cannot be read. */
type ReadDocuments =
  | { readonly ok: true; readonly documents: PolicyDocuments; readonly bodies: PolicyText['policies'] }
  | { readonly ok: false; readonly error: string };

/**
 * Parses the text that contains the policy documents of an evaluation. Returns its documents and the texts of the policies, or the first
 * error.
 */
export function readPolicyText({ slice }: DefinitionText): ReadDocuments {
  const { policies, cluster, definitions } = parsePolicyText(slice.bytes);
  const errors: string[] = [];
  const read = (what: string, written: PolicyText['policies']): JsonObject[] =>
    written.flatMap(({ notation, text }, i) => {
      const reading = readSlice({ notation, bytes: new TextEncoder().encode(text) });
      if (reading.ok && isJsonObject(reading.value)) return [reading.value];
      errors.push(`${what}[${i}]: ${reading.ok ? 'the document is not an object' : reading.error}`);
      return [];
    });
  const documents = {
    policies: read('policies', policies),
    cluster: read('cluster', cluster),
    definitions: read('definitions', definitions),
  };
  const [error] = errors;
  return error === undefined ? { ok: true, documents, bodies: policies } : { ok: false, error };
}

/**
 * Returns the answers of a server to the creation of each policy and binding in a text. With `typeChecking`, also returns the type-checking
 * status that the server writes into validating policies. Returns an empty list if a document cannot be read; the verdict of every object
 * then contains the reason. Throws `Cancelled` if the token requests cancellation.
 */
export function reviewPolicies(
  text: DefinitionText,
  { typeChecking, fieldValidation }: { readonly typeChecking: boolean; readonly fieldValidation: FieldValidation },
  token: CancellationToken,
): PolicyReport[] {
  const reading = readPolicyText(text);
  if (!reading.ok) return [];
  const { policies, definitions } = reading.documents;
  const { bodies } = reading;
  const server = typeChecking ? typeCheckingServer(definitions, text) : undefined;
  const idle = idleReasons(policies);
  return policies.flatMap((document, index) => {
    const review = reviewPolicy(document, { minor: text.minor, fieldValidation, body: bodies[index], token });
    if (review === undefined) return [];
    const { kind, name, refusal, warnings } = review;
    const types = server && kind === 'ValidatingAdmissionPolicy' ? typeWarnings(document, server) : undefined;
    return [
      {
        index,
        kind,
        name,
        accepted: refusal === undefined,
        ...(refusal && { status: refusal }),
        warnings: [...warnings],
        ...(idle[index]?.length && { hints: [...idle[index]] }),
        ...(types && { typeChecking: types }),
      },
    ];
  });
}

function typeCheckingServer(definitions: readonly JsonObject[], { minor }: DefinitionText): TypeCheckingServer {
  const schemas = new ObjectSchemas(minor, definitions);
  return { minor, kinds: serverKinds(minor, definitions), schemaOf: (kind) => schemas.published(kind) };
}

function typeWarnings(document: JsonObject, server: TypeCheckingServer): NonNullable<PolicyReport['typeChecking']> {
  try {
    return checkTypes(readValidatingPolicy(document), server).warnings.map(({ fieldRef, warning, kinds, suggestions }) => ({
      fieldRef,
      warning,
      kinds,
      ...(suggestions.length > 0 && { suggestions }),
    }));
  } catch (thrown) {
    if (thrown instanceof Unreadable) return [];
    throw thrown;
  }
}
