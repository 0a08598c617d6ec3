import { optionsJson, sentDigest, documentJson } from '#documents';
import type { DocumentSlice, EvaluationOptions } from '#documents';
import { times } from '#numbers';
import { describeWrites, studyDefinitions } from '#service';
import type { DescribedWrite } from '#service';
import type { Engine } from '#runner';
import type { PlacedDocument, PlacedDocuments } from '../../documents/read-documents.ts';
import { UsageError } from '../../usage.ts';
import { ProgressLine } from '../../report/progress.ts';

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

/** Returns a document as JSON. `source` is its name in errors. Throws {@link UsageError} if the document cannot be read. */
function jsonOf(slice: DocumentSlice, source: string): string {
  const read = documentJson(slice);
  if (!read.ok) throw new UsageError(`${source}: it cannot be read: ${read.error}`);
  return read.json;
}

/** Returns documents as JSON texts. Throws {@link UsageError} if a document cannot be read. */
export const jsonDocuments = (documents: readonly PlacedDocument[]): readonly string[] =>
  documents.map(({ source, slice }) => jsonOf(slice, source));

/** Maximum number of writes that are sent; the most expensive writes are chosen. Each write has up to 3 MiB. */
const MAX_WRITES = 50;

/**
 * Searches within a time budget for the most expensive write request that each rule can get. Returns the requests, highest cost first.
 * Throws {@link UsageError} if no request is found.
 */
export async function worstWrites(
  definitions: readonly PlacedDocument[],
  { options, budgetMs }: { readonly options: EvaluationOptions; readonly budgetMs: number },
  engine: Engine,
  signal: AbortSignal,
): Promise<readonly DescribedWrite[]> {
  const studied = { definitions: definitions.map(({ source, slice }) => ({ source, slice })), options };
  const progress = new ProgressLine();
  const { rules } = await studyDefinitions(
    engine,
    { ...studied, objects: [], budgetMs, seed: 1, base: undefined, isTimed: false, isWanted: () => true },
    { signal, notify: (state) => progress.report(() => `dearest writes: ${state.known} of ${times(state.rules, 'rule')}`) },
  );
  progress.end();
  const dearest = rules.toSorted((a, b) => (b.worst?.cost ?? 0) - (a.worst?.cost ?? 0)).slice(0, MAX_WRITES);
  const writes = await describeWrites(engine, studied, dearest, signal);
  if (writes.length === 0 && !signal.aborted) throw new UsageError('--worst: no write was found for the rules of the definitions');
  return writes;
}
