import { builtInHas, builtInKinds, builtInTypes, readTyped } from '#builtin';
import { viewJson, viewTyped } from '#cel';
import type { StructType } from '#builtin';
import type { CelValue } from '#cel';
import type { JsonObject } from '#go';
import type { Minor } from '#kube';

/** Object in the form in which the server holds it in memory. */
export interface HeldObject {
  readonly object: JsonObject;
  /** Go type of the object; undefined for custom kinds, whose objects stay unchanged. */
  readonly type: StructType | undefined;
}

/** An object as the server holds it, or why it cannot be one. */
export type HeldResult = ({ readonly ok: true } & HeldObject) | { readonly ok: false; readonly error: string };

/** Returns an object in the form of its built-in Go type. Objects of other kinds stay unchanged. */
export function heldObject(object: JsonObject, minor: Minor): HeldResult {
  const { apiVersion, kind } = object;
  const known = typeof apiVersion === 'string' && typeof kind === 'string' ? builtInKinds(minor).kind(apiVersion, kind) : undefined;
  if (known === undefined) return { ok: true, object, type: undefined };
  const reading = readTyped(object, known, minor);
  return reading.ok ? { ok: true, object: reading.object, type: known.type } : reading;
}

/** Returns the CEL value through which expressions see an object: a map, or from 1.37 on the Go struct of a built-in kind. */
export function seenObject({ object, type }: HeldObject, minor: Minor): CelValue {
  return type !== undefined && builtInHas(minor, 'structsAreSeen') ? viewTyped(object, type) : viewJson(object);
}

/** Returns the Go type of a name, such as `core/v1.Namespace`. */
export function structType(name: string, minor: Minor): StructType {
  return builtInTypes(minor).struct(name);
}
