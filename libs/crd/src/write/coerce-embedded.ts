import { compareBytes, isJsonObject } from '#kube';
import type { JsonObject, JsonValue } from '#kube';
import type { Structural } from '../structural/structural.ts';
import { coerceMetadata } from './typed-metadata.ts';

/** Unknown metadata fields that were dropped; or the text of the first thing that could not be coerced. */
export type CoercionResult = { readonly ok: true; readonly unknownFields: readonly string[] } | { readonly ok: false; readonly error: string };

/** Unwinds the walk; caught in `coerceEmbedded`. */
class Uncoercible extends Error {}

/**
 * Makes the metadata of embedded resources what it is typed to be, in place; apiVersion and kind must be strings there.
 * Source: apiextensions-apiserver pkg/apiserver/schema/objectmeta/algorithm.go `CoerceWithOptions` (1.37).
 *
 * @param dropInvalid remove what is malformed instead of failing, as is done for objects read from storage
 */
export function coerceEmbedded(value: JsonValue, schema: Structural, dropInvalid: boolean): CoercionResult {
  const unknown: string[] = [];
  try {
    coerce(value, schema, dropInvalid, '', unknown);
  } catch (error) {
    if (error instanceof Uncoercible) return { ok: false, error: error.message };
    throw error;
  }
  return { ok: true, unknownFields: unknown.sort(compareBytes) };
}

function coerce(value: JsonValue, schema: Structural | undefined, dropInvalid: boolean, path: string, unknown: string[]): void {
  if (schema === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (schema.items === undefined) return;
    for (let i = 0; i < value.length; i++) coerce(value[i] as JsonValue, schema.items, dropInvalid, `${path}[${i}]`, unknown);
    return;
  }
  if (!isJsonObject(value)) return;
  if (schema.embeddedResource) coerceResource(value, dropInvalid, path, unknown);
  for (const key of Object.keys(value)) {
    const property = schema.properties?.get(key);
    if (property !== undefined) coerce(value[key] as JsonValue, property, dropInvalid, path === '' ? key : `${path}.${key}`, unknown);
    else if (schema.additionalProperties !== undefined) {
      coerce(value[key] as JsonValue, schema.additionalProperties, dropInvalid, `${path}[${key}]`, unknown);
    }
  }
}

function coerceResource(resource: JsonObject, dropInvalid: boolean, path: string, unknown: string[]): void {
  for (const key of ['apiVersion', 'kind']) {
    if (resource[key] === undefined || typeof resource[key] === 'string') continue;
    if (!dropInvalid) throw new Uncoercible(`${path === '' ? key : `${path}.${key}`}: Invalid value: must be a string`);
    delete resource[key];
  }
  const metadata = resource['metadata'];
  if (metadata === undefined) return;
  const at = path === '' ? 'metadata' : `${path}.metadata`;
  const result = coerceMetadata(metadata, dropInvalid);
  if (!result.ok) {
    if (dropInvalid) return;
    throw new Uncoercible(`${at}: Invalid value: ${result.error}`);
  }
  for (const field of result.unknownFields) unknown.push(`${at}.${field}`);
  resource['metadata'] = result.metadata;
}
