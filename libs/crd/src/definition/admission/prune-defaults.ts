import type { Minor } from '#kube';
import { structuralOptions } from '../../minors/validation-behaviour.ts';
import { deepEqualJson, copyJson } from '#go';
import type { JsonValue } from '#go';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { holdsDefaults } from '../../schema/walk-schema.ts';
import { toStructural } from '../../structural/from-schema.ts';
import { hasDefaults } from '../../structural/holds.ts';
import { asResourceRoot } from '../../structural/resource-root.ts';
import type { Structural } from '../../structural/structural.ts';
import { validateStructural } from '../../structural/validate-structural.ts';
import { coerceEmbedded } from '../../object/write/coerce-embedded.ts';
import { prune } from '../../object/write/prune.ts';
import { surroundItem, surroundProperty, surroundRoot } from './surrounding-object.ts';
import type { Surround } from './surrounding-object.ts';

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
  if (!surrounding.ok || !coerceEmbedded(undefined, surrounding.object, root, true).ok) throw new Misplaced();
  prune(surrounding.object, root);
  return copy;
}
