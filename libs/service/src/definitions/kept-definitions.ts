import { createHash } from 'node:crypto';
import { badRequestStatus, invalidStatus, latestServer, notFound, notFoundStatus } from '#kube';
import { isSentDigest, scanMembers, SENT_DIGEST_FORM, sentDigest, tooManyStatus } from '#documents';
import type { DefinitionText, DocumentSlice, Envelope, KeptSlice } from '#documents';
import type { DefinitionStore } from '#jobs';
import type { Caller } from '../ports.ts';
import { checkDefinitionSize } from '../check-request.ts';
import type { Refusals } from '#runner';
import { answered, refused } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { expandComposites, readDocuments } from '../read/read-documents.ts';
import type { WantedDefinitions } from '../read/read-documents.ts';

/** Definition that the service stores for the client that sent it. */
export interface KeptDefinition {
  /** Digest of the definition's bytes as the client sent them. */
  readonly digest: string;
  readonly bytes: number;
  /** False if the client had already sent the definition before. */
  readonly isNew: boolean;
  /** Time in seconds for which the definition is stored if no more requests refer to it. */
  readonly keptSeconds: number;
}

/** Dependencies and limits of {@link KeptDefinitions}. */
export interface KeptDefinitionsPorts {
  readonly store: DefinitionStore;
  readonly refusals: Refusals;
  /** Maximum number of definitions in a request. */
  readonly maxDefinitions: number;
  /** Time in ms for which a definition is kept after the last request that sent it or referred to it. */
  readonly keptMs: number;
}

/**
 * Maximum number of documents that are cut from a text to check whether it contains exactly one definition. The number is sufficient to
 * detect further documents.
 */
const FIRST_DOCUMENTS = { definitions: 100, objects: 100 } as const;

/**
 * Store for definitions that clients send once and then refer to by the digest of their bytes. Each definition belongs to its sender:
 * another client that knows the digest cannot detect that the definition is stored. The definitions are in the same `DefinitionStore` as
 * the definitions of evaluations. Other processes can therefore find them, they may be encrypted, and they count towards the storage limit
 * of their client. Each use extends the time for which a definition is stored.
 */
export class KeptDefinitions {
  readonly #ports: KeptDefinitionsPorts;

  constructor(ports: KeptDefinitionsPorts) {
    this.#ports = ports;
  }

  /**
   * Stores a definition for its client. Returns a refusal with status 400 if the digest is wrong, or if the bytes are not exactly one
   * document.
   */
  async keep(digest: string, slice: DocumentSlice, caller: Caller): Promise<Outcome<KeptDefinition>> {
    if (!isSentDigest(digest)) return refused(badRequestStatus(`the digest ${SENT_DIGEST_FORM}`));
    const tooLarge = checkDefinitionSize('the definition', slice);
    if (tooLarge) return tooLarge;
    const found = sentDigest(slice.bytes);
    if (found !== digest) return refused(badRequestStatus(`the digest of the body is ${found}, not ${digest}`));
    const known = await this.#get(digest, caller);
    if (known === undefined) {
      const problem = await checkDocument(slice, caller);
      if (problem) return problem;
    }
    // The body may be a part of a larger buffer, so the stored text gets a copy of the bytes.
    const text = known ?? { ...latestServer(), digest: keyOf(digest, caller), slice: { ...slice, bytes: new Uint8Array(slice.bytes) } };
    const full = await this.#put(text, caller);
    const keptSeconds = Math.floor(this.#ports.keptMs / 1000);
    return full ?? answered({ digest, bytes: slice.bytes.length, isNew: known === undefined, keptSeconds });
  }

  /** Returns a definition as its client sent it, or a refusal with status 404 if the definition is not stored. */
  async find(digest: string, caller: Pick<Caller, 'owner'>): Promise<Outcome<DocumentSlice>> {
    if (!isSentDigest(digest)) return refused(badRequestStatus(`the digest ${SENT_DIGEST_FORM}`));
    const text = await this.#get(digest, caller);
    return text ? answered(text.slice) : refused(notFoundStatus({ group: 'assay', resource: 'definitions' }, digest));
  }

  /**
   * Returns an envelope in which the referenced definitions precede the definitions that the request contains. Replaces each
   * CompositeResourceDefinition by the definitions that Crossplane makes of it. If any digest is unknown, returns a refusal with status
   * 422 that lists all unknown digests.
   */
  async resolve<One extends Pick<Envelope, 'definitions' | 'definitionRefs'>>(
    envelope: One,
    caller: Caller,
    wanted: WantedDefinitions = 'all',
  ): Promise<Outcome<Omit<One, 'definitionRefs'>>> {
    const { definitionRefs = [], ...rest } = envelope;
    const { maxDefinitions } = this.#ports;
    const withDefinitions = async (definitions: readonly DocumentSlice[]): Promise<Outcome<Omit<One, 'definitionRefs'>>> => {
      const limits = { definitions: maxDefinitions, objects: maxDefinitions };
      const expanded = await expandComposites(definitions, limits, caller.engine, caller.signal, wanted);
      if (expanded.kind !== 'answered') return expanded;
      const isTooMany = expanded.answer.length > Math.max(maxDefinitions, definitions.length);
      return isTooMany ? refused(tooManyStatus('definitions', maxDefinitions)) : answered({ ...rest, definitions: expanded.answer });
    };
    if (definitionRefs.length === 0) return withDefinitions(rest.definitions);
    if (definitionRefs.length + rest.definitions.length > maxDefinitions) return refused(tooManyStatus('definitions', maxDefinitions));
    const texts = await Promise.all(definitionRefs.map((digest) => this.#get(digest, caller)));
    const unknown = definitionRefs.flatMap((digest, i) => (texts[i] === undefined ? [notFound(`definitionRefs[${i}]`, digest)] : []));
    if (unknown.length > 0) return refused(invalidStatus({ group: 'assay', kind: 'Evaluation' }, '', unknown));
    const known = texts.filter((text) => text !== undefined);
    const refusals = await Promise.all(known.map((text) => this.#put(text, caller)));
    const full = refusals.find((refusal) => refusal !== undefined);
    return full ?? withDefinitions([...known.map(({ digest, slice }): KeptSlice => ({ ...slice, keptAs: digest })), ...rest.definitions]);
  }

  #get(digest: string, caller: Pick<Caller, 'owner'>): Promise<DefinitionText | undefined> {
    return this.#ports.store.get(keyOf(digest, caller));
  }

  async #put(text: DefinitionText, { flow }: Caller): ReturnType<typeof checkDocument> {
    const { store, refusals, keptMs } = this.#ports;
    const refusal = await store.put(text, { flow, leftMs: keptMs });
    return refusal && refused(refusals.refuse(flow.level, refusal, 'request'));
  }
}

/**
 * Returns the key of a client's definition in the store, derived from the client and the digest. Other content of the store never has such
 * a key.
 */
function keyOf(digest: string, { owner }: Pick<Caller, 'owner'>): string {
  return createHash('sha256')
    .update(`kept ${owner === undefined ? 'anyone' : `${owner.length}:${owner}`} ${digest}`)
    .digest('hex');
}

/**
 * Returns a refusal with status 400 if the bytes are not exactly one document. Errors inside the definition are detected later, when the
 * definition is validated.
 */
async function checkDocument(
  slice: DocumentSlice,
  { engine, signal }: Caller,
): Promise<Exclude<Outcome<never>, { kind: 'answered' }> | undefined> {
  if (slice.notation === 'json') {
    const scan = scanMembers(slice.bytes);
    return scan.ok ? undefined : refused(badRequestStatus(`the definition is malformed: ${scan.problem} (byte ${scan.offset})`));
  }
  const read = await readDocuments(slice.bytes, 'yaml', FIRST_DOCUMENTS, engine, signal);
  if (read.kind !== 'answered') return read;
  const { definitions, policies, objects } = read.answer;
  // All definitions that Crossplane derives from one document have the position of this document.
  const documents = new Set(definitions.map(({ origin: { start, item } }) => `${start} ${item}`));
  if (documents.size === 1 && policies.length + objects.length === 0) return undefined;
  return refused(badRequestStatus('the body must hold one CustomResourceDefinition'));
}
