import { mayBeComposite, mayBeMade } from '#kube';
import type { CutDocument, DocumentLimits, DocumentSlice } from '#evaluation';
import { answered } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { AdmittedEngine } from '../ports.ts';
import { readDocuments } from './read-documents.ts';

/**
 * Returns the definitions of a request, with each CompositeResourceDefinition replaced by the definitions that Crossplane makes of it. The
 * engine parses these documents. The made definitions have the position of the document that they replace.
 */
export async function expandComposites(
  definitions: readonly DocumentSlice[],
  limits: DocumentLimits,
  engine: AdmittedEngine,
  signal: AbortSignal | undefined,
): Promise<Outcome<readonly DocumentSlice[]>> {
  const expanded: DocumentSlice[] = [];
  for (const slice of definitions) {
    const outcome = mayBeComposite(slice.bytes) ? await readDocuments(slice.bytes, 'yaml', limits, engine, signal) : undefined;
    if (outcome !== undefined && outcome.kind !== 'answered') return outcome;
    const read = outcome?.answer.definitions ?? [];
    // A document that merely names the kind stays as it is.
    expanded.push(...(read.some(mayBeMade) ? read.map((made) => ({ ...made, ...originOf(slice) })) : [slice]));
  }
  return answered(expanded);
}

const originOf = ({ origin }: DocumentSlice & Partial<Pick<CutDocument, 'origin'>>): Partial<Pick<CutDocument, 'origin'>> =>
  origin === undefined ? {} : { origin };
