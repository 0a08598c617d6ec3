import { isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';

/** The object around a default, so that metadata rules can be applied to it; or why there is none. */
export type Surrounding = { readonly ok: true; readonly object: JsonObject } | { readonly ok: false; readonly error: string };

/**
 * Returns an object that has a value at the place of its schema node. Source:
 * pkg/apiserver/schema/defaulting/surroundingobject.go (1.37).
 */
export type Surround = (value: JsonValue) => Surrounding;

/** The node is the resource itself. */
export const surroundRoot: Surround = (value) =>
  isJsonObject(value) ? { ok: true, object: value } : { ok: false, error: 'object root default value must be of object type' };

/** Returns a `Surround` that works as `outer` does. It also sets a placeholder apiVersion and kind on the resulting object if they are missing. */
export function withTypeMeta(outer: Surround): Surround {
  return (value) => {
    const result = outer(value);
    if (!result.ok) return result;
    result.object['kind'] ??= 'Validation';
    result.object['apiVersion'] ??= 'validation/v1';
    return result;
  };
}

/** Returns the surroundings of a node that is a property. */
export function surroundProperty(outer: Surround, name: string): Surround {
  return (value) => {
    const object = newJsonObject();
    object[name] = value;
    return outer(object);
  };
}

/** Returns the surroundings of a node that is an item. */
export function surroundItem(outer: Surround): Surround {
  return (value) => outer([value]);
}
