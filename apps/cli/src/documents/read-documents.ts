import type { CutDocument, DefinitionSlice, DocumentOrigin, Envelope, EvaluationOptions, PolicyDocuments } from '#documents';
import { clusterObjects, unqueuedEngine } from '#runner';
import type { Engine } from '#runner';
import { prefetch, readDocuments as cutDocuments } from '#service';
import type { Documents } from '#service';
import { SourceFile } from '#editing';
import { ProgressBar } from '../report/print.ts';
import type { InputFile } from './read-inputs.ts';
import { UsageError } from '../usage.ts';

/** Document limits for files: files may contain any number of documents. */
export const UNLIMITED = { definitions: Infinity, objects: Infinity, areFiles: true } as const;

/** Document with the location from which it was read. */
export interface PlacedDocument {
  /** Name of the file and number of the document in it, from 1. */
  readonly source: string;
  readonly slice: DefinitionSlice;
  /** Position in the input file; undefined if no file contains this document unchanged. */
  readonly place?: { readonly file: TextFile; readonly origin: DocumentOrigin };
}

/** File from which documents were read. */
export interface TextFile {
  /** Name of the file in output for the user. */
  readonly name: string;
  readonly text: SourceFile;
}

/** Documents to evaluate, each with its location in the input files. They are grouped into definitions, objects and policies. */
export interface PlacedBatch {
  readonly definitions: readonly PlacedDocument[];
  readonly objects: readonly PlacedDocument[];
  /** Admission policies, and the documents that they need. */
  readonly policies: PolicyDocuments;
  /** Locations of the policies' documents, in the same order. Policies that no file contains unchanged are absent. */
  readonly policyDocuments?: readonly PlacedDocument[];
}

/**
 * Documents of all input files of a command. In addition to {@link PlacedBatch}, it contains the files themselves and the documents of each
 * file.
 */
export interface PlacedDocuments extends PlacedBatch {
  readonly files: readonly TextFile[];
  /** Documents of each file. */
  readonly texts: readonly Documents[];
  readonly policyDocuments: readonly PlacedDocument[];
}

/**
 * Reads all documents of all inputs, grouped into definitions, objects and policies. Throws {@link UsageError} if a file cannot be split
 * into documents.
 */
export async function documentsOf(inputs: Iterable<InputFile>, host: Engine): Promise<PlacedDocuments> {
  const found = {
    definitions: [] as PlacedDocument[],
    objects: [] as PlacedDocument[],
    policyDocuments: [] as PlacedDocument[],
    files: [] as TextFile[],
  };
  const texts: Documents[] = [];
  const progress = new ProgressBar('files read');
  for await (const { name, bytes, cut } of prefetch(beginToCut(inputs, host), 2 * host.threads)) {
    const outcome = await cut;
    progress.step();
    if (outcome.kind === 'refused') throw new UsageError(`${name}: ${outcome.status.message}`);
    if (outcome.kind !== 'answered') throw new Error(`${name} could not be read`);
    const { definitions, policies, objects } = outcome.answer;
    texts.push(outcome.answer);
    const file: TextFile = { name, text: new SourceFile(bytes) };
    found.files.push(file);
    const place = (slice: CutDocument, i: number): PlacedDocument => ({
      source: `${name}#${i + 1}`,
      slice,
      place: { file, origin: slice.origin },
    });
    found.definitions.push(...definitions.map(place));
    found.policyDocuments.push(...policies.map(place));
    found.objects.push(...objects.map(place));
  }
  progress.end();
  return { ...found, texts, policies: policiesOf(texts) };
}

/** Starts to split each file into documents when the iterator requests the file. Yields the file with the promise of its documents. */
async function* beginToCut(
  inputs: Iterable<InputFile>,
  host: Engine,
): AsyncGenerator<InputFile & { readonly cut: ReturnType<typeof cutDocuments> }> {
  for (const { name, bytes } of inputs) {
    const notation = /\.(ndjson|jsonl)$/.test(name) ? 'json-lines' : 'yaml';
    yield { name, bytes, cut: cutDocuments(bytes, notation, UNLIMITED, unqueuedEngine(host)) };
  }
}

/** Returns true if there is no document on which a command could report a verdict: no definition, policy or object. */
export const hasNoDocuments = ({ definitions, objects, policyDocuments }: PlacedDocuments): boolean =>
  definitions.length + objects.length + policyDocuments.length === 0;

/** Merges documents that were read separately into one batch. Policies of one part then apply to objects of another part. */
export function mergeDocuments(parts: readonly PlacedDocuments[]): PlacedDocuments {
  const texts = parts.flatMap((part) => part.texts);
  return {
    definitions: parts.flatMap(({ definitions }) => definitions),
    objects: parts.flatMap(({ objects }) => objects),
    policyDocuments: parts.flatMap(({ policyDocuments }) => policyDocuments),
    files: parts.flatMap(({ files }) => files),
    texts,
    policies: policiesOf(texts),
  };
}

function policiesOf(texts: readonly Documents[]): PolicyDocuments {
  const policies = texts.flatMap((text) => text.policies);
  return { policies, cluster: policies.length === 0 ? [] : clusterObjects(texts) };
}

/** Returns the documents of a batch, with the options, in the form of a request to the Assay service. */
export function envelopeOf({ definitions, objects, policies }: PlacedBatch, options: EvaluationOptions): Envelope {
  const slices = (documents: readonly PlacedDocument[]): DefinitionSlice[] => documents.map(({ slice }) => slice);
  return { definitions: slices(definitions), objects: slices(objects), ...policies, options };
}
