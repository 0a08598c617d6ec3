import type { SchemaProps } from '../schema/schema-props.ts';
import type { AdvisedNode } from './advice.ts';

/**
 * Returns all nodes of a version's schema, for advice on keywords. The branches of `allOf`, `anyOf`, `oneOf` and `not` are included. Each
 * node comes before the nodes below it.
 */
export function advisedNodes(root: SchemaProps, minMatchLength: AdvisedNode['minMatchLength']): readonly AdvisedNode[] {
  const found: AdvisedNode[] = [];
  const open: { readonly schema: SchemaProps; readonly path: string }[] = [{ schema: root, path: '' }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { schema, path } = at;
    found.push({ schema, path, minMatchLength });
    const before = path === '' ? '' : `${path}.`;
    const below = childrenOf(schema).map(([step, child]) => ({ schema: child, path: `${before}${step}` }));
    open.push(...below.reverse());
  }
  return found;
}

function childrenOf({ properties, items, additionalProperties, allOf, anyOf, oneOf, not }: SchemaProps): [string, SchemaProps][] {
  const listed = (name: string, branches: readonly SchemaProps[]): [string, SchemaProps][] =>
    branches.map((branch, i) => [`${name}[${i}]`, branch]);
  return [
    ...[...(properties ?? [])].map(([name, child]): [string, SchemaProps] => [`properties[${name}]`, child]),
    ...(items?.schema ? [['items', items.schema] satisfies [string, SchemaProps]] : []),
    ...(additionalProperties?.schema ? [['additionalProperties', additionalProperties.schema] satisfies [string, SchemaProps]] : []),
    ...listed('allOf', allOf),
    ...listed('anyOf', anyOf),
    ...listed('oneOf', oneOf),
    ...(not ? [['not', not] satisfies [string, SchemaProps]] : []),
  ];
}
