import { optionsJson, sentDigest } from '#documents';
import type { DocumentSlice, EvaluationOptions } from '#documents';
import type { PlacedDocument, PlacedDocuments } from '../read-documents.ts';
import { jsonOf } from '../service/sent-documents.ts';

/** Definition that is uploaded to the service once, before a load test starts. */
export interface DefinitionUpload {
  /** File name of the document and its number in the file. */
  readonly source: string;
  readonly digest: string;
  /** Definition as JSON. */
  readonly body: Buffer;
}

/** Returns definitions in the form in which they are uploaded to a service. Throws {@link UsageError} if a document cannot be read. */
export function definitionUploads(documents: readonly PlacedDocument[]): readonly DefinitionUpload[] {
  return documents.map(({ source, slice }) => {
    const body = Buffer.from(jsonOf(slice, source));
    return { source, digest: sentDigest(body), body };
  });
}

/** Parts of the request body that are the same in all requests of a load test. */
export interface LoadFrame {
  readonly definitions: readonly DefinitionUpload[];
  readonly policies: PlacedDocuments['policies'];
  readonly options: EvaluationOptions;
}

/**
 * Returns request bodies of `POST /evaluate` for a load test. Each body has `batch` objects, and all bodies together contain all objects in
 * `items`. If too few objects are left for the last body, it is filled up with the first objects. Definitions are referred to by their
 * digests.
 */
export function loadBodies(items: readonly string[], batch: number, { definitions, policies, options }: LoadFrame): readonly Buffer[] {
  const slices = (some: readonly DocumentSlice[]): string => some.map((slice) => jsonOf(slice, 'a policy')).join(',');
  const head = [
    `"definitionRefs":${JSON.stringify(definitions.map(({ digest }) => digest))}`,
    ...(policies.policies.length === 0 ? [] : [`"policies":[${slices(policies.policies)}]`, `"cluster":[${slices(policies.cluster)}]`]),
    `"options":${optionsJson(options)}`,
  ].join(',');
  return Array.from({ length: Math.ceil(items.length / batch) }, (_, body) => {
    const objects = Array.from({ length: batch }, (_, i) => items[(body * batch + i) % items.length]);
    return Buffer.from(`{${head},"objects":[${objects.join(',')}]}`);
  });
}
