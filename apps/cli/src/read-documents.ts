import type { DocumentSlice } from '#evaluation';
import type { EngineHost } from '#runner';
import type { InputFile } from './find-files.ts';
import { UsageError } from './usage.ts';

/** A document with the place it came from: file and number of the document in it, from 1. */
export interface PlacedDocument {
  readonly source: string;
  readonly slice: DocumentSlice;
}

/** All documents of all inputs, definitions apart from objects. */
export async function readDocuments(
  inputs: Iterable<InputFile>,
  host: EngineHost,
): Promise<{ definitions: PlacedDocument[]; objects: PlacedDocument[]; files: number }> {
  const found = { definitions: [] as PlacedDocument[], objects: [] as PlacedDocument[], files: 0 };
  for (const { name, bytes } of inputs) {
    found.files++;
    const answer = await host.run({ kind: 'documents', bytes, lines: /\.(ndjson|jsonl)$/.test(name) });
    if (answer.kind !== 'done' || answer.result.kind !== 'documents') throw new Error(`${name} could not be read`);
    const { definitions, objects, problem } = answer.result.documents;
    if (problem !== undefined) throw new UsageError(`${name}: ${problem}`);
    const place = (slice: DocumentSlice, i: number): PlacedDocument => ({ source: `${name}#${i + 1}`, slice });
    found.definitions.push(...definitions.map(place));
    found.objects.push(...objects.map(place));
  }
  return found;
}
