import { isJsonObject } from '#go';
import { fieldErrorText, groupOf, versionOf } from '#kube';
import type { JsonObject } from '#go';
import type { FieldError } from '#kube';
import type { ServedVersion } from '../served-version.ts';
import { EMPTY_STRUCTURAL } from '../../structural/from-schema.ts';
import { asResourceRoot } from '../../structural/resource-root.ts';
import { wordedErrors } from '../../wording/error-wording.ts';
import { coerceEmbedded } from './coerce-embedded.ts';
import { applyDefaults, pruneNulls } from './default.ts';
import { prune } from './prune.ts';
import { coerceMetadata } from './typed-metadata.ts';

/** Result of {@link coerceObject}: the paths of the unknown fields that were dropped, or the reason why the object cannot be converted. */
export type ObjectCoercion =
  | { readonly ok: true; readonly unknownFields: readonly string[] }
  | { readonly ok: false; readonly error: string };

/**
 * Origin of an object: a client's request, or storage. For an object from storage, malformed metadata is dropped and the generation is
 * repaired.
 */
export type ObjectSource = 'request' | 'storage';

/**
 * Converts an object to the form that its schema defines, in place. Metadata is coerced to its Go type, unknown fields and nulls are
 * dropped, embedded metadata is coerced, and defaults are inserted. If the object's kind is not the definition's kind, only its metadata is
 * coerced. Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go `unstructuredSchemaCoercer.apply` (1.37).
 */
export function coerceObject(object: JsonObject, version: ServedVersion, source: ObjectSource): ObjectCoercion {
  const dropInvalid = source === 'storage';
  for (const field of ['kind', 'apiVersion']) {
    if (object[field] !== null) continue;
    return { ok: false, error: `.${field} accessor error: <nil> is of the type <nil>, expected string` };
  }
  const unknownFields: string[] = [];
  const metadata = object['metadata'];
  let typed: JsonObject | undefined;
  if (metadata !== undefined) {
    const result = coerceMetadata(metadata, dropInvalid ? 'drop' : 'reject');
    if (!result.ok) return result;
    typed = result.metadata;
    for (const field of result.unknownFields) unknownFields.push(`metadata.${field}`);
  }
  const { kind, apiVersion } = object;
  const ours = kind === version.kind && apiVersion === version.apiVersion;
  const foreign = kind === version.kind && !ours && typeof apiVersion === 'string' && groupOf(apiVersion) === version.group;
  if (foreign) {
    // It will be refused for its version, but not before it was pruned by that version's schema.
    for (const field of prune(object, version.rootOf(versionOf(apiVersion)) ?? UNKNOWN_ROOT)) unknownFields.push(field);
  }
  if (ours) {
    if (!version.preserveUnknownFields) {
      for (const field of prune(object, version.root)) unknownFields.push(field);
      pruneNulls(object, version.structural);
    }
    if (version.holdsEmbedded) {
      const result = coerceEmbedded(undefined, object, version.structural, dropInvalid);
      if (!result.ok) return { ok: false, error: errorText(result.error, version) };
      unknownFields.push(...result.unknownFields);
      // What could not be dropped stops the conversion that follows the reading.
      const strictly = dropInvalid ? coerceEmbedded(undefined, object, version.structural, false) : result;
      if (!strictly.ok) return { ok: false, error: errorText(strictly.error, version) };
    }
    if (source === 'storage' && typed !== undefined && typed['generation'] === undefined) typed['generation'] = 1;
  }
  // apiVersion and kind are known strings here; metadata is what was typed above, whatever pruning left of it.
  if (typed !== undefined) object['metadata'] = typed;
  if (ours) applyDefaults(object, version.structural);
  // What is read from storage is converted once more, after defaulting.
  if (ours && source === 'storage' && !version.preserveUnknownFields) pruneNulls(object, version.structural);
  return { ok: true, unknownFields };
}

/** Returns the text of an error in the wording of the version's Kubernetes minor version. */
function errorText(error: FieldError, { minor }: ServedVersion): string {
  return wordedErrors([error], minor).map(fieldErrorText).join();
}

const UNKNOWN_ROOT = asResourceRoot(EMPTY_STRUCTURAL);

/** Returns the object's metadata, or undefined if the metadata is missing or not an object. */
export function metadataOf(object: JsonObject): JsonObject | undefined {
  const metadata = object['metadata'];
  return isJsonObject(metadata) ? metadata : undefined;
}
