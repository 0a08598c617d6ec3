import { documentJson } from '#documents';
import type { DocumentSlice } from '#documents';
import type { PlacedDocument } from '../read-documents.ts';
import { UsageError } from '../usage.ts';

/** Returns a document as JSON. `source` is its name in errors. Throws {@link UsageError} if the document cannot be read. */
export function jsonOf(slice: DocumentSlice, source: string): string {
  const read = documentJson(slice);
  if (!read.ok) throw new UsageError(`${source}: it cannot be read: ${read.error}`);
  return read.json;
}

/** Returns documents as JSON texts. Throws {@link UsageError} if a document cannot be read. */
export const jsonDocuments = (documents: readonly PlacedDocument[]): readonly string[] =>
  documents.map(({ source, slice }) => jsonOf(slice, source));
