import type { SchemaProps } from './schema-props.ts';

/** A step from a schema node to its child. */
export type SchemaStep =
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'items' }
  | { readonly kind: 'additionalProperties' };

/** Steps from a version's schema to a node inside it. */
export type SchemaPath = readonly SchemaStep[];

/** Returns a path in the notation of cost reports, such as `properties[spec].items`. The result is empty for the root. */
export function schemaPathText(path: SchemaPath): string {
  return path.map((step) => (step.kind === 'property' ? `properties[${step.name}]` : step.kind)).join('.');
}

/** Returns the path of the fields that a schema node describes, such as `spec.rules[*].name`. The result is `(root)` for the root. */
export function fieldsText(path: SchemaPath): string {
  let text = '';
  for (const step of path) {
    if (step.kind !== 'property') text += '[*]';
    else text += text === '' ? step.name : `.${step.name}`;
  }
  return text === '' ? '(root)' : text;
}

/**
 * Returns the child of a schema node to which `step` (a property, `items` or `additionalProperties`) leads. Returns undefined if there is
 * no such child.
 */
export function childAt(schema: SchemaProps, step: SchemaStep): SchemaProps | undefined {
  switch (step.kind) {
    case 'property':
      return schema.properties?.get(step.name);
    case 'items':
      return schema.items?.schema;
    case 'additionalProperties':
      return schema.additionalProperties?.schema;
  }
}

/** Returns the node at the end of a path, or undefined if no such node exists. */
export function nodeAtPath(schema: SchemaProps, path: SchemaPath): SchemaProps | undefined {
  let node: SchemaProps | undefined = schema;
  for (const step of path) node = node && childAt(node, step);
  return node;
}

/**
 * Returns a copy of `schema` in which `change` is applied to the node at `path`. The node must exist. The copy shares all unchanged nodes
 * with `schema`.
 */
export function withNode(schema: SchemaProps, path: SchemaPath, change: (node: SchemaProps) => SchemaProps): SchemaProps {
  const [step, ...rest] = path;
  if (step === undefined) return change(schema);
  const child = childAt(schema, step);
  if (child === undefined) throw new Error(`there is no ${schemaPathText(path)}`);
  const changed = withNode(child, rest, change);
  switch (step.kind) {
    case 'property':
      return { ...schema, properties: new Map(schema.properties).set(step.name, changed) };
    case 'items':
      return { ...schema, items: { schema: changed, schemas: schema.items?.schemas ?? [] } };
    case 'additionalProperties':
      return { ...schema, additionalProperties: { allows: schema.additionalProperties?.allows ?? true, schema: changed } };
  }
}
