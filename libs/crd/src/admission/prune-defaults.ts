import { deepEqualJson } from '#kube';
import type { SchemaProps } from '../schema/schema-props.ts';
import { schemaHas } from '../schema/walk-schema.ts';
import { toStructural } from '../structural/from-schema.ts';
import { asResourceRoot } from '../structural/resource-root.ts';
import type { Structural } from '../structural/structural.ts';
import { validateStructural } from '../structural/validate-structural.ts';
import { coerceEmbedded } from '../write/coerce-embedded.ts';
import { copyJson } from '../write/copy-json.ts';
import { prune } from '../write/prune.ts';
import { surroundItem, surroundProperty, surroundRoot } from './surrounding-object.ts';
import type { Surround } from './surrounding-object.ts';

/**
 * True when some default of a structural schema has fields that its schema does not know. A schema that is not structural counts as having
 * none. Source: validation.go `schemaHasUnprunedDefaults`, pkg/apiserver/schema/defaulting/prune.go (1.37).
 */
export function hasUnprunedDefaults(schema: SchemaProps): boolean {
  if (!schemaHas(schema, (node) => node.default !== undefined)) return false;
  const converted = toStructural(schema);
  if (!converted.ok || validateStructural(undefined, converted.structural).length > 0) return false;
  return changedByPruning(converted.structural, asResourceRoot(converted.structural), surroundRoot);
}

function changedByPruning(node: Structural, root: Structural, surround: Surround): boolean {
  if (node.default !== undefined) {
    const surrounding = surround(copyJson(node.default));
    if (!surrounding.ok) return false;
    const before = copyJson(surrounding.object);
    if (!coerceEmbedded(undefined, surrounding.object, root, true).ok) return false;
    prune(surrounding.object, root);
    if (!deepEqualJson(surrounding.object, before)) return true;
  }
  if (node.additionalProperties !== undefined && changedByPruning(node.additionalProperties, root, surroundProperty(surround, '*')))
    return true;
  if (node.items !== undefined && changedByPruning(node.items, root, surroundItem(surround))) return true;
  for (const [key, property] of node.properties ?? []) if (changedByPruning(property, root, surroundProperty(surround, key))) return true;
  return false;
}
