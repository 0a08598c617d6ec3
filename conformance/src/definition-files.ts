import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readJson, readFirstDocument } from '#go';
import type { JsonValue } from '#go';
import { CaseProblem } from './case-context.ts';

/** Number of documents that are cached. A small number is enough, because cases are usually sorted by definition. */
const KEPT_DOCUMENTS = 24;

/** Returns a function that reads definition files of a folder and caches the most recent ones. */
export function definitionFiles(folder: string): (file: string) => JsonValue {
  const kept = new Map<string, JsonValue>();
  return (file) => {
    const known = kept.get(file);
    if (known !== undefined) return known;
    const document = readDocument(resolve(folder, file), file);
    kept.set(file, document);
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_DOCUMENTS) break;
      kept.delete(oldest);
    }
    return document;
  };
}

function readDocument(path: string, name: string): JsonValue {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new CaseProblem(`${name} cannot be read`);
  }
  const reading = path.endsWith('.json') ? readJson(bytes) : readFirstDocument(bytes);
  if (!reading.ok) throw new CaseProblem(`${name}: ${reading.error}`);
  return reading.value;
}
