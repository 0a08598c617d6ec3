import { isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Labels } from '../read/label-selector.ts';

const NO_LABELS: Labels = new Map();

/** Matches kinds without ObjectMeta: the options of deletions and of streams. */
const OPTIONS = /Options$/;

/** Returns the metadata of an object; undefined for kinds that have none. */
export function metadataOf(object: JsonObject): JsonObject | undefined {
  const { metadata, kind } = object;
  if (isJsonObject(metadata)) return metadata;
  return typeof kind === 'string' && OPTIONS.test(kind) ? undefined : {};
}

/** Returns the labels of an object; values that are no texts do not count. */
export function labelsOf(object: JsonObject): Labels {
  const labels = metadataOf(object)?.['labels'];
  if (!isJsonObject(labels)) return NO_LABELS;
  return new Map(Object.entries(labels).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Returns a text of an object's metadata, empty where it has none. */
export function metadataText(object: JsonObject, field: 'name' | 'namespace' | 'generateName'): string {
  const value: JsonValue | undefined = metadataOf(object)?.[field];
  return typeof value === 'string' ? value : '';
}

/**
 * Returns an object with a namespace in its metadata. Returns it unchanged if it has a namespace or if `namespace` is
 * empty.
 */
export function inNamespace(object: JsonObject, namespace: string): JsonObject {
  const metadata = metadataOf(object);
  if (namespace === '' || metadata === undefined || metadataText(object, 'namespace') !== '') return object;
  return Object.assign(newJsonObject(), object, { metadata: Object.assign(newJsonObject(), metadata, { namespace }) });
}

/** Returns an object without its apiVersion and kind, as Go's structs hold it. */
export function withoutType(object: JsonObject): JsonObject {
  const rest = Object.assign(newJsonObject(), object);
  delete rest['kind'];
  delete rest['apiVersion'];
  return rest;
}
