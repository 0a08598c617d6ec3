import { createHash } from 'node:crypto';
import { utf8Text, writeJson } from '#go';
import { readSlice } from '../item/item.ts';
import type { DocumentSlice } from '../item/item.ts';
import type { EvaluationOptions } from '../options/options-schema.ts';

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

const SENT_DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Error text that describes the required form of a digest. */
export const SENT_DIGEST_FORM = 'must be "sha256:" and 64 hexadecimal digits in lower case';

/**
 * Returns the digest with which a client refers to bytes that it sent. Like the digests of image registries, it is `sha256:` and 64
 * hexadecimal digits.
 */
export function sentDigest(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Returns true if a text has the form of a digest that {@link sentDigest} returns. */
export function isSentDigest(text: unknown): text is string {
  return typeof text === 'string' && SENT_DIGEST.test(text);
}
