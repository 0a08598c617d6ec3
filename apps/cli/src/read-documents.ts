import type { DocumentSlice } from '#evaluation';
import type { EngineHost } from '#runner';
import { ownEngine, readDocuments as cutDocuments } from '#service';
import type { InputFile } from './find-files.ts';
import { UsageError } from './usage.ts';

/** A document with the place it came from: file and number of the document in it, from 1. */
export interface PlacedDocument {
  readonly source: string;
  readonly slice: DocumentSlice;
}

/** All documents of all inputs, definitions apart from objects. */
export async function documentsOf(
  inputs: Iterable<InputFile>,
  host: EngineHost,
): Promise<{ definitions: PlacedDocument[]; objects: PlacedDocument[]; files: number }> {
  const found = { definitions: [] as PlacedDocument[], objects: [] as PlacedDocument[], files: 0 };
  for (const { name, bytes } of inputs) {
    found.files++;
    const notation = /\.(ndjson|jsonl)$/.test(name) ? 'json-lines' : 'yaml';
    const outcome = await cutDocuments(bytes, notation, ownEngine(host));
    if (outcome.kind === 'refused') throw new UsageError(`${name}: ${outcome.status.message}`);
    if (outcome.kind !== 'answered') throw new Error(`${name} could not be read`);
    const { definitions, objects } = outcome.answer;
    const place = (slice: DocumentSlice, i: number): PlacedDocument => ({ source: `${name}#${i + 1}`, slice });
    found.definitions.push(...definitions.map(place));
    found.objects.push(...objects.map(place));
  }
  return found;
}
