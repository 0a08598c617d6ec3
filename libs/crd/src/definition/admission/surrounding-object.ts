import { isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';

/**
 * Object that is built around a default value of a schema, or the reason why no such object can be built. Validation needs the object to
 * apply metadata rules to the default.
 */
export type Surrounding = { readonly ok: true; readonly object: JsonObject } | { readonly ok: false; readonly error: string };

/**
 * Function that builds a complete object around the value of one schema node, such as a default. The value is at the position of the node
 * in the object. Source: pkg/apiserver/schema/defaulting/surroundingobject.go (1.37).
 */
export type Surround = (value: JsonValue) => Surrounding;

/**
 * {@link Surround} function for a default at the root of the schema. Because the default is itself the whole object, the function returns
 * it unchanged. Returns an error if the default is not an object.
 */
export const surroundRoot: Surround = (value) =>
  isJsonObject(value) ? { ok: true, object: value } : { ok: false, error: 'object root default value must be of object type' };

/**
 * Returns a {@link Surround} function that builds the same object as `outer` does. If apiVersion or kind is missing in this object, the
 * returned function sets a placeholder.
 */
export function withTypeMeta(outer: Surround): Surround {
  return (value) => {
    const result = outer(value);
    if (!result.ok) return result;
    result.object['kind'] ??= 'Validation';
    result.object['apiVersion'] ??= 'validation/v1';
    return result;
  };
}

/**
 * Returns the {@link Surround} function for the property `name` of an object. `outer` is the function for the object. The result passes an
 * object with the given value as its only property to `outer`.
 */
export function surroundProperty(outer: Surround, name: string): Surround {
  return (value) => {
    const object = newJsonObject();
    object[name] = value;
    return outer(object);
  };
}

/**
 * Returns a {@link Surround} function, which builds a complete object around a value, for the items of a list. `outer` is the function for
 * the list itself. The result wraps its value in a list with one item, and passes this list to `outer`.
 */
export function surroundItem(outer: Surround): Surround {
  return (value) => outer([value]);
}
