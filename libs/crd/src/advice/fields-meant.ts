import type { WrittenNode } from '#cel';
import { fieldsText, nodeAtPath } from '../schema/schema-path.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import type { AdvisedRule, WrittenRule } from './advice.ts';
import { placedNodes, placeOf } from './value-places.ts';

/**
 * Returns a function that returns the paths of certain fields that the rules of a version use. `valuesOf` selects these fields. The
 * returned function takes any rule of the version, and caches its result for each version.
 *
 * @param valuesOf Returns those values of a node whose paths are collected.
 */
export function fieldsMeant(valuesOf: (node: WrittenNode) => readonly WrittenNode[]): (rule: AdvisedRule) => ReadonlySet<string> {
  const byVersion = new WeakMap<AdvisedRule['all'], ReadonlySet<string>>();
  return ({ all, root }) => {
    const known = byVersion.get(all);
    if (known !== undefined) return known;
    const found = new Set(all.flatMap((rule) => fieldsOf(rule, root, valuesOf)));
    byVersion.set(all, found);
    return found;
  };
}

function fieldsOf({ steps, tree }: WrittenRule, root: SchemaProps, valuesOf: (node: WrittenNode) => readonly WrittenNode[]): string[] {
  const schema = nodeAtPath(root, steps);
  if (schema === undefined) return [];
  return placedNodes(tree, schema).flatMap(({ node, scope }) =>
    valuesOf(node).flatMap((value) => {
      const place = placeOf(value, scope, schema);
      return place === undefined ? [] : [fieldsText([...steps, ...place.steps])];
    }),
  );
}
