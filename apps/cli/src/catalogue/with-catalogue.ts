import type { Engine } from '#runner';
import type { ReportProblem } from '../files/file-problem.ts';
import type { PlacedDocuments } from '../documents/read-documents.ts';
import type { ReadingSettings } from '../documents/read-inputs.ts';

/** Folder in which definitions are searched, and the settings for reading files; the folder is undefined if there is none. */
interface CatalogueChoice {
  readonly crds: string | undefined;
  readonly reading: ReadingSettings;
}

/** Adds the definitions that the objects of the documents lack, from the folder of `--crds`. Only then is the code of the search loaded. */
export async function withCatalogue(
  documents: PlacedDocuments,
  { crds: folder, reading }: CatalogueChoice,
  reportProblem: ReportProblem,
  engine: Engine,
): Promise<PlacedDocuments> {
  if (folder === undefined) return documents;
  const { withLackingDefinitions } = await import('./definition-catalogue.ts');
  return withLackingDefinitions(documents, { folder, reading }, reportProblem, engine);
}
