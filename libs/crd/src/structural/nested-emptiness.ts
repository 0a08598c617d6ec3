import type { SchemaProps } from '../schema/schema-props.ts';
import type { NestedValidation, Structural, StructuralOptions } from './structural.ts';

/** The differences between minors in what counts as a keyword. */
type Counting = Pick<StructuralOptions, 'documentation' | 'closedMaps'>;

/** Returns true if a node says nothing beside the schemas of what is inside of it, and some keywords that do not count. */
function saysNothingBut(props: SchemaProps, ignored: readonly (keyof SchemaProps)[], { documentation }: Counting): boolean {
  return props.vocabulary.keywords.every(({ field, form, nesting }) => {
    if (nesting === 'structure' || nesting === 'unsupported' || ignored.includes(field)) return true;
    return (nesting === 'documentation' && documentation === 'ignored') || form.isZero(props[field]);
  });
}

/** Returns true for a branch that says nothing but a type. */
function onlyTypes(branch: NestedValidation, type: string, counting: Counting): boolean {
  return (
    branch.props.type === type &&
    branch.items === undefined &&
    branch.properties === undefined &&
    branch.additionalProperties === undefined &&
    !(branch.closed && counting.closedMaps === 'count') &&
    saysNothingBut(branch.props, ['type'], counting)
  );
}

/** Returns true for exactly `anyOf: [{type: integer}, {type: string}]`, which an int-or-string may spell out. */
export function isIntOrStringChoice(anyOf: readonly NestedValidation[], counting: Counting): boolean {
  const [first, second] = anyOf;
  return (
    anyOf.length === 2 &&
    first !== undefined &&
    second !== undefined &&
    onlyTypes(first, 'integer', counting) &&
    onlyTypes(second, 'string', counting)
  );
}

/**
 * Returns true when the schema of a resource's metadata restricts nothing but name and generateName. Type and default do not count, nor does an empty enum;
 * other lists do, even when they are empty: Go compares the whole struct, where an empty slice is not a missing one.
 */
export function restrictsOnlyNames(metadata: Structural, counting: Counting): boolean {
  const names = [...(metadata.properties?.keys() ?? [])];
  return (
    names.every((name) => name === 'name' || name === 'generateName') &&
    metadata.items === undefined &&
    metadata.additionalPropertiesAllowed === undefined &&
    saysNothingBut(metadata.props, ['type', 'default'], counting)
  );
}
