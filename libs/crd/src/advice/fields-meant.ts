import type { WrittenNode } from '#cel';
import { fieldsText, nodeAtPath } from '../schema/schema-path.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import type { AdvisedRule, WrittenRule } from './advice.ts';
import { placedNodes, valuePlaceOf } from './written-nodes.ts';

/**
 * Returns a function that collects field paths from all rules of a version. It takes any rule of the version. It returns the paths of the
 * fields that the rules use in one way, for example the fields that they test with `has()`. The result is cached for each version.
 *
 * @param valuesOf Returns the expressions in a syntax node that are uses of this kind; empty if there are none.
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
      const place = valuePlaceOf(value, scope, schema);
      return place === undefined ? [] : [fieldsText([...steps, ...place.steps])];
    }),
  );
}

/**
 * Returns true if a schema expects a field. This is the case if the schema requires the field, requires it inside `allOf`, `anyOf`, `oneOf`
 * or `not`, or gives it a default.
 */
export function isExpectedField({ required, properties, allOf, anyOf, oneOf, not }: SchemaProps, name: string): boolean {
  const isNamed = (schema: SchemaProps): boolean =>
    schema.required.includes(name) ||
    [...schema.allOf, ...schema.anyOf, ...schema.oneOf, ...(schema.not ? [schema.not] : [])].some(isNamed);
  return (
    required.includes(name) ||
    properties?.get(name)?.default !== undefined ||
    [...allOf, ...anyOf, ...oneOf, ...(not ? [not] : [])].some(isNamed)
  );
}
