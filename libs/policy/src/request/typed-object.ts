import { viewJson, viewTyped } from '#cel';
import type { CelValue } from '#cel';
import type { JsonObject } from '#go';
import type { Minor } from '#kube';
import { builtInHas } from '../built-in/minors.ts';
import { builtInKinds } from '../built-in/table/built-in-kind.ts';
import { builtInTypes } from '../built-in/table/read-table.ts';
import { readTyped } from '../built-in/typed/read-typed.ts';
import type { StructType } from '../built-in/table/go-type.ts';

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
