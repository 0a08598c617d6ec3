import { deepEqualJson, copyJson, isJsonObject, newJsonObject } from '#go';
import type { JsonValue, JsonObject } from '#go';
import type { Minor } from '#kube';
import { structuralOptions } from '../../minors/validation-behaviour.ts';
import { coerceEmbedded } from '../../object/write/coerce-object.ts';
import { prune } from '../../object/write/prune.ts';
import { holdsDefaults } from '../../schema/schema-props.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { toStructural } from '../../structural/from-schema.ts';
import { hasDefaults, asResourceRoot } from '../../structural/structural.ts';
import type { Structural } from '../../structural/structural.ts';
import { validateStructural } from '../../structural/validate-structural.ts';

/**
 * Returns true if a default in a structural schema contains fields that are not in the schema. Returns false for a non-structural schema.
 * Source: validation.go `schemaHasUnprunedDefaults`, pkg/apiserver/schema/defaulting/prune.go (1.37).
 */
export function hasUnprunedDefaults(schema: SchemaProps, minor: Minor): boolean {
  if (!holdsDefaults(schema)) return false;
  const converted = toStructural(schema);
  if (!converted.ok || validateStructural(undefined, converted.structural, structuralOptions(minor)).length > 0) return false;
  const result = withPrunedDefaults(converted.structural);
  return result.ok && result.structural !== converted.structural;
}

/**
 * Result of pruning the default values in a structural schema. `structural` is the schema with pruned defaults, or the given object itself
 * if pruning changed nothing. `ok` is false if no valid object can contain a default at the position of its schema node.
 */
export type DefaultPruning = { readonly ok: true; readonly structural: Structural } | { readonly ok: false };

/**
 * Prunes the defaults of a structural schema in the same way as stored objects: removes the fields that the schema does not specify.
 * Source: pkg/apiserver/schema/defaulting/prune.go `PruneDefaults` (1.37).
 */
export function withPrunedDefaults(structural: Structural): DefaultPruning {
  const root = asResourceRoot(structural);
  try {
    return { ok: true, structural: pruned(structural, root, surroundRoot) };
  } catch (error) {
    if (error instanceof Misplaced) return { ok: false };
    throw error;
  }
}

/** Exception that ends the traversal of the schema early. It is caught in `withPrunedDefaults`. */
class Misplaced extends Error {}

function pruned(node: Structural, root: Structural, surround: Surround): Structural {
  if (!hasDefaults(node)) return node;
  const changes: { -readonly [K in keyof Structural]?: Structural[K] } = {};
  if (node.default !== undefined) {
    const value = prunedDefault(node.default, root, surround);
    if (!deepEqualJson(value, node.default)) changes.default = value;
  }
  const { additionalProperties, items, properties } = node;
  const change = (key: 'additionalProperties' | 'items', before: Structural, around: Surround): void => {
    const after = pruned(before, root, around);
    if (after !== before) changes[key] = after;
  };
  if (additionalProperties !== undefined) change('additionalProperties', additionalProperties, surroundProperty(surround, '*'));
  if (items !== undefined) change('items', items, surroundItem(surround));
  if (properties !== undefined) {
    const after = new Map(
      [...properties].map(([key, property]) => [key, pruned(property, root, surroundProperty(surround, key))] as const),
    );
    if ([...properties].some(([key, property]) => after.get(key) !== property)) changes.properties = after;
  }
  return Object.keys(changes).length === 0 ? node : { ...node, ...changes };
}

function prunedDefault(value: JsonValue, root: Structural, surround: Surround): JsonValue {
  const copy = copyJson(value);
  const surrounding = surround(copy);
  if (!surrounding.ok || !coerceEmbedded(undefined, surrounding.object, root, 'drop').ok) throw new Misplaced();
  prune(surrounding.object, root);
  return copy;
}

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
