import { isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Labels } from '../read/label-selector.ts';

const NO_LABELS: Labels = new Map();

/** Pattern of kinds without ObjectMeta, such as DeleteOptions and PodExecOptions. */
const OPTIONS = /Options$/;

/** Returns the metadata of an object. Returns undefined if objects of its kind have no metadata. */
export function objectMetaOf(object: JsonObject): JsonObject | undefined {
  const { metadata, kind } = object;
  if (isJsonObject(metadata)) return metadata;
  return typeof kind === 'string' && OPTIONS.test(kind) ? undefined : {};
}

/** Returns the labels of an object. Labels whose value is not a string are ignored. */
export function labelsOf(object: JsonObject): Labels {
  const labels = objectMetaOf(object)?.['labels'];
  if (!isJsonObject(labels)) return NO_LABELS;
  return new Map(Object.entries(labels).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Returns a text field of an object's metadata. Returns the empty text if the field is absent or not a string. */
export function metadataText(object: JsonObject, field: 'name' | 'namespace' | 'generateName'): string {
  const value: JsonValue | undefined = objectMetaOf(object)?.[field];
  return typeof value === 'string' ? value : '';
}

/**
 * Returns an object with a namespace in its metadata. Returns it unchanged if it has a namespace or if `namespace` is
 * empty.
 */
export function inNamespace(object: JsonObject, namespace: string): JsonObject {
  const metadata = objectMetaOf(object);
  if (namespace === '' || metadata === undefined || metadataText(object, 'namespace') !== '') return object;
  return Object.assign(newJsonObject(), object, { metadata: Object.assign(newJsonObject(), metadata, { namespace }) });
}

/** Returns an object without its apiVersion and kind, which Go structs in memory do not contain. */
export function withoutType(object: JsonObject): JsonObject {
  const rest = Object.assign(newJsonObject(), object);
  delete rest['kind'];
  delete rest['apiVersion'];
  return rest;
}
