import type { DocumentSlice, PolicyDocuments } from '#evaluation';
import { clusterObjects } from '#runner';
import type { Engine } from '#runner';
import { ownEngine, readDocuments as cutDocuments } from '#service';
import type { Documents } from '#service';
import type { InputFile } from './read-inputs.ts';
import { UsageError } from './usage.ts';

/** Files may hold as many documents as they like. */
const UNLIMITED = { definitions: Infinity, objects: Infinity } as const;

/** A document with the place it came from: file and number of the document in it, from 1. */
export interface PlacedDocument {
  readonly source: string;
  readonly slice: DocumentSlice;
}

/** All documents of all inputs, by what they are. */
export interface PlacedDocuments {
  readonly definitions: readonly PlacedDocument[];
  readonly objects: readonly PlacedDocument[];
  /** Admission policies, and which of the objects they look at. */
  readonly policies: PolicyDocuments;
  readonly files: number;
}

/** All documents of all inputs, by what they are. Throws {@link UsageError} for a file that cannot be taken. */
export async function documentsOf(inputs: Iterable<InputFile>, host: Engine): Promise<PlacedDocuments> {
  const found = { definitions: [] as PlacedDocument[], objects: [] as PlacedDocument[], files: 0 };
  const texts: Documents[] = [];
  for (const { name, bytes } of inputs) {
    found.files++;
    const notation = /\.(ndjson|jsonl)$/.test(name) ? 'json-lines' : 'yaml';
    const outcome = await cutDocuments(bytes, notation, UNLIMITED, ownEngine(host));
    if (outcome.kind === 'refused') throw new UsageError(`${name}: ${outcome.status.message}`);
    if (outcome.kind !== 'answered') throw new Error(`${name} could not be read`);
    const { definitions, objects } = outcome.answer;
    texts.push(outcome.answer);
    const place = (slice: DocumentSlice, i: number): PlacedDocument => ({ source: `${name}#${i + 1}`, slice });
    found.definitions.push(...definitions.map(place));
    found.objects.push(...objects.map(place));
  }
  const policies = texts.flatMap((text) => text.policies);
  return { ...found, policies: { policies, cluster: policies.length === 0 ? [] : clusterObjects(texts) } };
}
