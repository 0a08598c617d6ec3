import { viewJson, viewTyped } from '#cel';
import type { CelValue } from '#cel';
import { isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Minor } from '#kube';
import { builtInHas } from '../built-in/minors.ts';
import { builtInKinds } from '../built-in/table/built-in-kind.ts';
import type { StructType } from '../built-in/table/go-type.ts';
import { builtInTypes } from '../built-in/table/read-table.ts';
import { readTyped } from '../built-in/typed/read-typed.ts';
import type { Labels } from '../read/label-selector.ts';

/**
 * Object as the API server holds it in memory. An object of a built-in kind has been converted to its Go type, so its fields and values can
 * differ from the request.
 */
export interface HeldObject {
  readonly object: JsonObject;
  /** Go type of the object. Undefined for custom kinds, because their objects are not converted. */
  readonly type: StructType | undefined;
}

/**
 * Result of converting an object to the Go type in which the server holds it in memory. It is the converted object, or the reason why the
 * conversion failed.
 */
export type HeldResult = ({ readonly ok: true } & HeldObject) | { readonly ok: false; readonly error: string };

/**
 * Converts an object of a built-in kind to its Go type, as the server does before it holds the object in memory. Returns objects of custom
 * kinds unchanged. Returns an error if the conversion fails.
 */
export function heldObject(object: JsonObject, minor: Minor): HeldResult {
  const { apiVersion, kind } = object;
  const known = typeof apiVersion === 'string' && typeof kind === 'string' ? builtInKinds(minor).kind(apiVersion, kind) : undefined;
  if (known === undefined) return { ok: true, object, type: undefined };
  const reading = readTyped(object, known, minor);
  return reading.ok ? { ok: true, object: reading.object, type: known.type } : reading;
}

/**
 * Returns the CEL value that represents an object in expressions. It is a map, or, since Kubernetes 1.37, the Go struct if the object is of
 * a built-in kind.
 */
export function seenObject({ object, type }: HeldObject, minor: Minor): CelValue {
  return type !== undefined && builtInHas(minor, 'structsAreSeen') ? viewTyped(object, type) : viewJson(object);
}

/** Returns the Go struct type with a given name, such as `core/v1.Namespace`. */
export function structType(name: string, minor: Minor): StructType {
  return builtInTypes(minor).struct(name);
}

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
