import { compareBytes, isJsonObject, scalarList } from '#go';
import { childPath, indexPath, invalid, keyPath, pathText } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import type { FieldError, FieldPath } from '#kube';
import type { Structural } from '../../structural/structural.ts';
import { coerceMetadata } from './typed-metadata.ts';

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
 * @param dropInvalid True if malformed fields are removed instead of causing an error, as for objects read from storage.
 */
export function coerceEmbedded(path: FieldPath | undefined, value: JsonValue, schema: Structural, dropInvalid: boolean): CoercionResult {
  const unknown: string[] = [];
  try {
    coerce(value, schema, dropInvalid, path, unknown);
  } catch (error) {
    if (error instanceof Uncoercible) return { ok: false, error: error.fieldError };
    throw error;
  }
  return { ok: true, unknownFields: unknown.sort(compareBytes) };
}

function coerce(
  value: JsonValue,
  schema: Structural | undefined,
  dropInvalid: boolean,
  path: FieldPath | undefined,
  unknown: string[],
): void {
  if (schema === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (schema.items === undefined || scalarList(value) !== undefined) return;
    for (let i = 0; i < value.length; i++) coerce(value[i] as JsonValue, schema.items, dropInvalid, indexPath(path, i), unknown);
    return;
  }
  if (!isJsonObject(value)) return;
  if (schema.embeddedResource) coerceResource(value, dropInvalid, path, unknown);
  for (const key of Object.keys(value)) {
    const property = schema.properties?.get(key);
    if (property !== undefined) coerce(value[key] as JsonValue, property, dropInvalid, childPath(path, key), unknown);
    else if (schema.additionalProperties !== undefined) {
      coerce(value[key] as JsonValue, schema.additionalProperties, dropInvalid, keyPath(path, key), unknown);
    }
  }
}

function coerceResource(resource: JsonObject, dropInvalid: boolean, path: FieldPath | undefined, unknown: string[]): void {
  for (const key of ['apiVersion', 'kind']) {
    const value = resource[key];
    if (value === undefined || typeof value === 'string') continue;
    if (!dropInvalid) throw new Uncoercible(invalid(childPath(path, key), value, 'must be a string'));
    delete resource[key];
  }
  const metadata = resource['metadata'];
  if (metadata === undefined) return;
  const at = childPath(path, 'metadata');
  const result = coerceMetadata(metadata, dropInvalid ? 'drop' : 'reject');
  if (!result.ok) {
    if (dropInvalid) return;
    throw new Uncoercible(invalid(at, metadata, result.error));
  }
  for (const field of result.unknownFields) unknown.push(`${pathText(at)}.${field}`);
  resource['metadata'] = result.metadata;
}
