import { mayBeComposite, mayBeMade } from '#kube';
import { ownsBuffer } from '#documents';
import type { CutDocument, DocumentLimits, DocumentSlice } from '#documents';
import { answered } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { QueuedEngine } from '#runner';
import { readDocuments } from './read-documents.ts';

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
    // A document that only mentions the kind stays unchanged.
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
