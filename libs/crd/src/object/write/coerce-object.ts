import { isJsonObject, compareBytes, scalarList } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { fieldErrorText, groupOf, versionOf, childPath, indexPath, invalid, keyPath, pathText } from '#kube';
import type { FieldError, FieldPath } from '#kube';
import { EMPTY_STRUCTURAL } from '../../structural/from-schema.ts';
import { asResourceRoot } from '../../structural/structural.ts';
import type { Structural } from '../../structural/structural.ts';
import { wordedErrors } from '../../wording/error-wording.ts';
import type { ServedVersion } from '../served-version.ts';
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
  const malformed = source === 'storage' ? 'drop' : 'reject';
  for (const field of ['kind', 'apiVersion']) {
    if (object[field] !== null) continue;
    return { ok: false, error: `.${field} accessor error: <nil> is of the type <nil>, expected string` };
  }
  const unknownFields: string[] = [];
  const metadata = object['metadata'];
  let typed: JsonObject | undefined;
  if (metadata !== undefined) {
    const result = coerceMetadata(metadata, malformed);
    if (!result.ok) return result;
    typed = result.metadata;
    for (const field of result.unknownFields) unknownFields.push(`metadata.${field}`);
  }
  const { kind, apiVersion } = object;
  const ours = kind === version.kind && apiVersion === version.apiVersion;
  const foreign = kind === version.kind && !ours && typeof apiVersion === 'string' && groupOf(apiVersion) === version.group;
  if (foreign) {
    // The server later rejects the object because of its version. But before, it prunes the object with the schema of that version.
    for (const field of prune(object, version.rootOf(versionOf(apiVersion)) ?? UNKNOWN_ROOT)) unknownFields.push(field);
  }
  if (ours) {
    if (!version.preserveUnknownFields) {
      for (const field of prune(object, version.root)) unknownFields.push(field);
      pruneNulls(object, version.structural);
    }
    if (version.holdsEmbedded) {
      const result = coerceEmbedded(undefined, object, version.structural, malformed);
      if (!result.ok) return { ok: false, error: errorText(result.error, version) };
      unknownFields.push(...result.unknownFields);
      // The first call may have kept a malformed value. Kubernetes then fails when it converts the decoded object.
      const strictly = malformed === 'drop' ? coerceEmbedded(undefined, object, version.structural, 'reject') : result;
      if (!strictly.ok) return { ok: false, error: errorText(strictly.error, version) };
    }
    if (source === 'storage' && typed !== undefined && typed['generation'] === undefined) typed['generation'] = 1;
  }
  // Pruning may have changed the metadata, so this line restores the typed metadata.
  if (typed !== undefined) object['metadata'] = typed;
  if (ours) applyDefaults(object, version.structural);
  // After defaulting, Kubernetes converts an object from storage once more, and so prunes nulls again.
  if (ours && source === 'storage' && !version.preserveUnknownFields) pruneNulls(object, version.structural);
  return { ok: true, unknownFields };
}

function errorText(error: FieldError, { minor }: ServedVersion): string {
  return wordedErrors([error], minor).map(fieldErrorText).join();
}

const UNKNOWN_ROOT = asResourceRoot(EMPTY_STRUCTURAL);

/** Returns the object's metadata, or undefined if the metadata is missing or not an object. */
export function metadataOf(object: JsonObject): JsonObject | undefined {
  const metadata = object['metadata'];
  return isJsonObject(metadata) ? metadata : undefined;
}

/**
 * Result of coercing the metadata of embedded resources to their Go types: the paths of unknown metadata fields that were dropped, or the
 * first error.
 */
export type CoercionResult =
  | { readonly ok: true; readonly unknownFields: readonly string[] }
  | { readonly ok: false; readonly error: FieldError };

/** Exception that ends the traversal early. It is caught in `coerceEmbedded`. */
class Uncoercible extends Error {
  readonly fieldError: FieldError;
  constructor(error: FieldError) {
    super(error.detail);
    this.fieldError = error;
  }
}

/**
 * Coerces the metadata of embedded resources to their Go types, in place. Their apiVersion and kind must be strings. Source:
 * apiextensions-apiserver pkg/apiserver/schema/objectmeta/algorithm.go `CoerceWithOptions` (1.37).
 * @param path Path of the value.
 * @param malformed `drop` if malformed fields are removed instead of causing an error, as for objects read from storage.
 */
export function coerceEmbedded(
  path: FieldPath | undefined,
  value: JsonValue,
  schema: Structural,
  malformed: 'drop' | 'reject',
): CoercionResult {
  const unknown: string[] = [];
  try {
    coerce(value, schema, malformed, path, unknown);
  } catch (error) {
    if (error instanceof Uncoercible) return { ok: false, error: error.fieldError };
    throw error;
  }
  return { ok: true, unknownFields: unknown.sort(compareBytes) };
}

function coerce(
  value: JsonValue,
  schema: Structural | undefined,
  malformed: 'drop' | 'reject',
  path: FieldPath | undefined,
  unknown: string[],
): void {
  if (schema === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (schema.items === undefined || scalarList(value) !== undefined) return;
    for (let i = 0; i < value.length; i++) coerce(value[i] as JsonValue, schema.items, malformed, indexPath(path, i), unknown);
    return;
  }
  if (!isJsonObject(value)) return;
  if (schema.embeddedResource) coerceResource(value, malformed, path, unknown);
  for (const key of Object.keys(value)) {
    const property = schema.properties?.get(key);
    if (property !== undefined) coerce(value[key] as JsonValue, property, malformed, childPath(path, key), unknown);
    else if (schema.additionalProperties !== undefined) {
      coerce(value[key] as JsonValue, schema.additionalProperties, malformed, keyPath(path, key), unknown);
    }
  }
}

function coerceResource(resource: JsonObject, malformed: 'drop' | 'reject', path: FieldPath | undefined, unknown: string[]): void {
  for (const key of ['apiVersion', 'kind']) {
    const value = resource[key];
    if (value === undefined || typeof value === 'string') continue;
    if (malformed === 'reject') throw new Uncoercible(invalid(childPath(path, key), value, 'must be a string'));
    delete resource[key];
  }
  const metadata = resource['metadata'];
  if (metadata === undefined) return;
  const at = childPath(path, 'metadata');
  const result = coerceMetadata(metadata, malformed);
  if (!result.ok) {
    if (malformed === 'drop') return;
    throw new Uncoercible(invalid(at, metadata, result.error));
  }
  for (const field of result.unknownFields) unknown.push(`${pathText(at)}.${field}`);
  resource['metadata'] = result.metadata;
}
