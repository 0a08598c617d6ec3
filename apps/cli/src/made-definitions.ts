import { mayBeComposite, mayBeMade } from '#kube';
import type { DocumentSlice } from '#documents';
import type { Engine } from '#runner';
import { documentsOf } from './read-documents.ts';
import type { InputFile } from './read-inputs.ts';

/**
 * Returns the definitions that Crossplane makes of the CompositeResourceDefinitions in a file. Returns an empty list for files without
 * CompositeResourceDefinitions.
 */
export async function madeDefinitions(input: InputFile, host: Engine): Promise<readonly DocumentSlice[]> {
  if (!mayBeComposite(input.bytes)) return [];
  const { definitions } = await documentsOf([input], host);
  return definitions.map(({ slice }) => slice).filter(mayBeMade);
}
