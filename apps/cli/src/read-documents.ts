import type { CutDocument, DocumentOrigin, DocumentSlice, Envelope, EvaluationOptions, PolicyDocuments } from '#evaluation';
import { clusterObjects } from '#runner';
import type { Engine } from '#runner';
import { ownEngine, readAhead, readDocuments as cutDocuments } from '#service';
import type { Documents } from '#service';
import { SourceFile } from '#source';
import { ProgressBar } from './progress.ts';
import type { InputFile } from './read-inputs.ts';
import { UsageError } from './usage.ts';

/** Files may hold as many documents as they like. */
const UNLIMITED = { definitions: Infinity, objects: Infinity } as const;

/** A document with the place it came from. */
export interface PlacedDocument {
  /** File and number of the document in it, from 1. */
  readonly source: string;
  readonly slice: DocumentSlice;
  /** Place in the input; undefined if no file holds this document unchanged. */
  readonly place?: { readonly file: TextFile; readonly origin: DocumentOrigin };
}

/** A file that documents were read of. */
export interface TextFile {
  /** The name for the user. */
  readonly name: string;
  readonly text: SourceFile;
}

/** Documents to be judged, by what they are. */
export interface PlacedBatch {
  readonly definitions: readonly PlacedDocument[];
  readonly objects: readonly PlacedDocument[];
  /** Admission policies, and which of the objects they look at. */
  readonly policies: PolicyDocuments;
  /** The documents of the policies, in their order. Policies that no file contains unchanged are absent. */
  readonly policyDocuments?: readonly PlacedDocument[];
}

/** All documents of all inputs. */
export interface PlacedDocuments extends PlacedBatch {
  readonly files: readonly TextFile[];
  /** The documents of the files. */
  readonly texts: readonly Documents[];
  readonly policyDocuments: readonly PlacedDocument[];
}

/** Returns all documents of all inputs, by what they are. Throws {@link UsageError} for a file that cannot be taken. */
export async function documentsOf(inputs: Iterable<InputFile>, host: Engine): Promise<PlacedDocuments> {
  const found = {
    definitions: [] as PlacedDocument[],
    objects: [] as PlacedDocument[],
    policyDocuments: [] as PlacedDocument[],
    files: [] as TextFile[],
  };
  const texts: Documents[] = [];
  const progress = new ProgressBar('files read');
  for await (const { name, bytes, cut } of readAhead(beginToCut(inputs, host), 2 * host.threads)) {
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

/** Begins to cut each file when it is asked for. */
async function* beginToCut(
  inputs: Iterable<InputFile>,
  host: Engine,
): AsyncGenerator<InputFile & { readonly cut: ReturnType<typeof cutDocuments> }> {
  for (const { name, bytes } of inputs) {
    const notation = /\.(ndjson|jsonl)$/.test(name) ? 'json-lines' : 'yaml';
    yield { name, bytes, cut: cutDocuments(bytes, notation, UNLIMITED, ownEngine(host)) };
  }
}

/** Returns the documents of several readings as if they had been read at once: policies of one look at objects of another. */
export function together(parts: readonly PlacedDocuments[]): PlacedDocuments {
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

/** Returns the documents as a service takes them, with options. */
export function envelopeOf({ definitions, objects, policies }: PlacedBatch, options: EvaluationOptions): Envelope {
  const slices = (documents: readonly PlacedDocument[]): DocumentSlice[] => documents.map(({ slice }) => slice);
  return { definitions: slices(definitions), objects: slices(objects), ...policies, options };
}
