import { utf8Text, writeJson } from '#go';
import type { DocumentSlice } from '../item/item.ts';
import type { EvaluationOptions } from '../options/options-schema.ts';
import { readSlice } from '../item/read-slice.ts';

/** The JSON of a document, or the reason why the document cannot be read. */
export type DocumentJson = { readonly ok: true; readonly json: string } | { readonly ok: false; readonly error: string };

/**
 * Returns a document as JSON, because request bodies with several documents must be JSON. JSON text is returned unchanged, without parsing
 * it.
 */
export function documentJson(slice: DocumentSlice): DocumentJson {
  if (slice.notation === 'json') return { ok: true, json: utf8Text(slice.bytes) };
  const reading = readSlice(slice);
  return reading.ok ? { ok: true, json: writeJson(reading.value) } : { ok: false, error: reading.error };
}

/** Returns, as JSON, the evaluation options that Assay sends in its own requests to a service. */
export function optionsJson({ kubernetesVersion, featureGates, fieldValidation, asSent }: EvaluationOptions): string {
  return JSON.stringify({ kubernetesVersion, featureGates, fieldValidation, asSent });
}
