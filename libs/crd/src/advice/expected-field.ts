import type { SchemaProps } from '../schema/schema-props.ts';

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
