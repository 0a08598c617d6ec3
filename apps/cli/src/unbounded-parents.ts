import { isJsonObject } from '#kube';
import type { JsonObject, JsonValue } from '#kube';

/** A list or map on the way to a rule. */
export interface Parent {
  /** As in a field path: `spec.rules[*]`. */
  readonly path: string;
  /** Its bound, and the keyword that sets it; undefined when nothing does. */
  readonly bound: number | undefined;
  readonly keyword: 'maxItems' | 'maxProperties';
}

const STEP = /properties\[([^\]]*)\]|(items)|(additionalProperties)/g;

/** The lists and maps above a rule, from its path relative to openAPIV3Schema (`properties[spec].items.x-kubernetes-validations[0]`). */
export function parentsOf(schema: JsonValue | undefined, rulePath: string): Parent[] {
  const parents: Parent[] = [];
  let node = asObject(schema);
  let path = '';
  for (const [, property, items] of rulePath.matchAll(STEP)) {
    if (property !== undefined) {
      path += path === '' ? property : `.${property}`;
      node = asObject(asObject(node?.['properties'])?.[property]);
      continue;
    }
    const keyword = items === undefined ? 'maxProperties' : 'maxItems';
    const bound = node?.[keyword];
    parents.push({ path: path === '' ? '(root)' : path, bound: typeof bound === 'number' ? bound : undefined, keyword });
    path += '[*]';
    node = asObject(node?.[items ?? 'additionalProperties']);
  }
  return parents;
}

function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}
