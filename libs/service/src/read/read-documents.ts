import { ownsBuffer, splitEnvelope } from '#documents';
import type { CutDocument, DocumentLimits, DocumentSlice, Envelope, EvaluationOptions, Notation } from '#documents';
import { mayBeComposite, mayBeMade, serviceUnavailableStatus, timeoutStatus } from '#kube';
import { clusterObjects, unpackInSteps } from '#runner';
import type { DocumentNotation, ObjectTypes, QueuedEngine } from '#runner';
import { answered, declined, refused } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';

/** Definitions, policies and objects of a text. */
export interface Documents {
  readonly definitions: readonly CutDocument[];
  readonly policies: readonly CutDocument[];
  readonly objects: readonly CutDocument[];
  readonly types: ObjectTypes;
}

/**
 * Splits a request body into definitions, objects and options. Stops at the first definition or object that exceeds a limit.
 *
 * JSON is split in this process as bytes, in steps between which other work can run. A YAML body must be parsed to be split, so a thread of
 * the engine splits it.
 *
 * @param options evaluation options for a YAML body, because a YAML body contains none
 * @param until creates the signal that stops the reading of YAML; it is not called for JSON
 */
export async function readEnvelope(
  body: DocumentSlice,
  options: EvaluationOptions,
  limits: DocumentLimits,
  engine: QueuedEngine,
  until: () => AbortSignal,
): Promise<Outcome<Envelope>> {
  if (body.notation === ('json' satisfies Notation)) {
    const cut = await splitEnvelope(body.bytes, limits);
    return cut.ok ? answered(cut.value) : refused(cut.status);
  }
  const documents = await readDocuments(body.bytes, 'yaml', limits, engine, until());
  if (documents.kind !== 'answered') return documents;
  const { definitions, policies, objects } = documents.answer;
  const cluster = policies.length === 0 ? [] : clusterObjects([documents.answer]);
  return answered({ definitions, policies, cluster, objects, options });
}

/**
 * Reads the documents of a text on an engine thread and unpacks each `kind: List`. Returns an unreadable
 * document at its position among the objects.
 */
export async function readDocuments(
  bytes: Uint8Array,
  notation: DocumentNotation,
  limits: DocumentLimits,
  engine: QueuedEngine,
  signal?: AbortSignal,
): Promise<Outcome<Documents>> {
  const full = engine.enterQueue();
  if (full) return refused(full);
  const answer = await engine.run({ kind: 'documents', bytes, notation, limits }, { ...(signal && { signal }) });
  if (answer.kind === 'cancelled') return declined('late', timeoutStatus('the deadline passed before the YAML body was read', 0, 408));
  if (answer.kind === 'broken') return declined('broken', serviceUnavailableStatus('the YAML body could not be read'));
  const { definitions, policies, objects, types, status } = answer.result;
  if (status !== undefined) return refused(status);
  return answered({
    definitions: await unpackInSteps(definitions),
    policies: await unpackInSteps(policies),
    objects: await unpackInSteps(objects),
    types,
  });
}

/** Definitions that replace a CompositeResourceDefinition. */
export type WantedDefinitions = 'all' | 'composite';

/**
 * Returns the definitions of a request, with each CompositeResourceDefinition replaced by the definitions that Crossplane makes of it. The
 * engine parses these documents. The made definitions have the position of the document that they replace.
 *
 * @param wanted `composite` if only the definition of the composite resource is wanted, and not that of the claim
 */
export async function expandComposites(
  definitions: readonly DocumentSlice[],
  limits: DocumentLimits,
  engine: QueuedEngine,
  signal: AbortSignal | undefined,
  wanted: WantedDefinitions = 'all',
): Promise<Outcome<readonly DocumentSlice[]>> {
  const expanded: DocumentSlice[] = [];
  for (const slice of definitions) {
    const outcome = containsComposite(slice.bytes) ? await readDocuments(slice.bytes, 'yaml', limits, engine, signal) : undefined;
    if (outcome !== undefined && outcome.kind !== 'answered') return outcome;
    const read = outcome?.answer.definitions ?? [];
    // A document that only mentions the kind CompositeResourceDefinition stays unchanged.
    const made = wanted === 'all' ? read : read.slice(0, 1);
    expanded.push(...(read.some(mayBeMade) ? made.map((one) => ({ ...one, ...originOf(slice) })) : [slice]));
  }
  return answered(expanded);
}

/** Texts that are kept because clients send them repeatedly, and whether each can be a CompositeResourceDefinition. */
const known = new WeakMap<Uint8Array, boolean>();

/** Returns true if a text can be a CompositeResourceDefinition. A text that is kept is searched only once. */
function containsComposite(bytes: Uint8Array): boolean {
  const found = known.get(bytes) ?? mayBeComposite(bytes);
  if (ownsBuffer(bytes)) known.set(bytes, found);
  return found;
}

const originOf = ({ origin }: DocumentSlice & Partial<Pick<CutDocument, 'origin'>>): Partial<Pick<CutDocument, 'origin'>> =>
  origin === undefined ? {} : { origin };
