import { isJsonObject } from '#go';
import type { CancellationToken, JsonObject } from '#go';
import { readSlice } from '#documents';
import type { DocumentSlice } from '#documents';
import { readRecord } from './recorded-write.ts';

/**
 * Result of reading a stored object: the object, or the problem that prevents reading it. If the document is the record of a write request,
 * the result contains the object that was written.
 */
export type StoredReading =
  | { readonly ok: true; readonly object: JsonObject; readonly isRecord: boolean }
  | { readonly ok: false; readonly problem: string };

/** Reads a stored object. Throws `Cancelled` if the token requests cancellation. */
export function readStoredObject(slice: DocumentSlice, token: CancellationToken): StoredReading {
  const reading = readSlice(slice, token);
  if (!reading.ok) return { ok: false, problem: reading.error };
  if (!isJsonObject(reading.value)) return { ok: false, problem: 'not an object' };
  const record = readRecord(reading.value);
  if (record === undefined) return { ok: true, object: reading.value, isRecord: false };
  return record.kind === 'write' ? { ok: true, object: record.write.object, isRecord: true } : { ok: false, problem: record.why };
}
