import { readSlice } from '#evaluation';
import type { DocumentSlice, EvaluationOptions } from '#evaluation';
import { writeJson } from '#go';
import type { PlacedDocument } from '../read-documents.ts';
import { UsageError } from '../usage.ts';

/** Returns a document as JSON. `source` is its name in errors. Throws {@link UsageError} if the document cannot be read. */
export function jsonOf(slice: DocumentSlice, source: string): string {
  if (slice.notation === 'json') return Buffer.from(slice.bytes).toString();
  const reading = readSlice(slice);
  if (!reading.ok) throw new UsageError(`${source}: it cannot be read: ${reading.error}`);
  return writeJson(reading.value);
}

/** Returns documents as JSON texts. Throws {@link UsageError} if a document cannot be read. */
export const jsonDocuments = (documents: readonly PlacedDocument[]): readonly string[] =>
  documents.map(({ source, slice }) => jsonOf(slice, source));

/** Returns the options that commands send to a service, as JSON. */
export function sentOptions({ kubernetesVersion, featureGates, fieldValidation, asSent }: EvaluationOptions): string {
  return JSON.stringify({ kubernetesVersion, featureGates, fieldValidation, asSent });
}
