import { sentDigest } from '#evaluation';
import type { DocumentSlice, EvaluationOptions } from '#evaluation';
import type { PlacedDocument, PlacedDocuments } from '../read-documents.ts';
import { jsonOf, sentOptions } from '../service/sent-documents.ts';

/** A definition that is sent once, before the load. */
export interface DefinitionUpload {
  /** File and number of the document. */
  readonly source: string;
  readonly digest: string;
  /** JSON. */
  readonly body: Buffer;
}

/** Returns definitions as a service is sent them. Throws {@link UsageError} for a document that cannot be read. */
export function definitionUploads(documents: readonly PlacedDocument[]): readonly DefinitionUpload[] {
  return documents.map(({ source, slice }) => {
    const body = Buffer.from(jsonOf(slice, source));
    return { source, digest: sentDigest(body), body };
  });
}

/** The part of a request that all requests have. */
export interface LoadFrame {
  readonly definitions: readonly DefinitionUpload[];
  readonly policies: PlacedDocuments['policies'];
  readonly options: EvaluationOptions;
}

/**
 * Returns bodies of `POST /evaluate` that hold all items in turn, so many each. The last one begins again with the first items if there are too few. Definitions
 * are named by their digests.
 */
export function loadBodies(items: readonly string[], batch: number, { definitions, policies, options }: LoadFrame): readonly Buffer[] {
  const slices = (some: readonly DocumentSlice[]): string => some.map((slice) => jsonOf(slice, 'a policy')).join(',');
  const head = [
    `"definitionRefs":${JSON.stringify(definitions.map(({ digest }) => digest))}`,
    ...(policies.policies.length === 0 ? [] : [`"policies":[${slices(policies.policies)}]`, `"cluster":[${slices(policies.cluster)}]`]),
    `"options":${sentOptions(options)}`,
  ].join(',');
  return Array.from({ length: Math.ceil(items.length / batch) }, (_, body) => {
    const objects = Array.from({ length: batch }, (_, i) => items[(body * batch + i) % items.length]);
    return Buffer.from(`{${head},"objects":[${objects.join(',')}]}`);
  });
}
