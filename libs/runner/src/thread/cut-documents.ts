import { Cancelled, isJsonObject, splitDocuments, writeJson } from '#go';
import type { CancellationToken, JsonValue } from '#go';
import { readSlice } from '#evaluation';
import type { DocumentSlice } from '#evaluation';
import type { DocumentList } from '../protocol.ts';

/** More documents than this in one YAML body are refused: NDJSON is the notation for large batches. */
const MAX_DOCUMENTS = 50_000;

/** Cuts a YAML stream, or lines of JSON, into documents, unpacks `kind: List`, and tells definitions from objects. A document that cannot be read stays, as an object. Throws `Cancelled` when the token asks for it. */
export function cutDocuments(bytes: Uint8Array, lines: boolean, token: CancellationToken): DocumentList {
  const definitions: DocumentSlice[] = [];
  const objects: DocumentSlice[] = [];
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  const parts = lines ? whole.split('\n').filter((line) => line.trim() !== '') : splitDocuments(whole, token).map(({ text }) => text);
  if (!lines && parts.length > MAX_DOCUMENTS)
    return { definitions, objects, problem: `more than ${MAX_DOCUMENTS} YAML documents; send NDJSON instead` };
  for (const part of parts) {
    if (token.cancelled) throw new Cancelled();
    const slice: DocumentSlice = { bytes: Buffer.from(part), notation: lines || isJson(part) ? 'json' : 'yaml' };
    const reading = readSlice(slice, token);
    if (!reading.ok || !isJsonObject(reading.value)) objects.push(slice);
    else if (isList(reading.value)) {
      for (const item of reading.value['items'] as JsonValue[]) {
        if (token.cancelled) throw new Cancelled();
        place(item, { bytes: Buffer.from(writeJson(item)), notation: 'json' });
      }
    } else place(reading.value, slice);
  }
  return { definitions, objects };

  function place(value: JsonValue, slice: DocumentSlice): void {
    (isDefinition(value) ? definitions : objects).push(slice);
  }
}

function isJson(text: string): boolean {
  return text.trimStart().startsWith('{');
}

function isList(value: JsonValue): boolean {
  return isJsonObject(value) && typeof value['kind'] === 'string' && value['kind'].endsWith('List') && Array.isArray(value['items']);
}

function isDefinition(value: JsonValue): boolean {
  return (
    isJsonObject(value) && value['kind'] === 'CustomResourceDefinition' && String(value['apiVersion']).startsWith('apiextensions.k8s.io/')
  );
}
