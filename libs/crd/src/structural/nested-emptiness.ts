import type { SchemaProps } from '../schema/schema-props.ts';
import type { NestedValidation, Structural, StructuralOptions } from './structural.ts';

/** Options, different between minors, that decide which keywords count when a node is tested for emptiness. */
type Counting = Pick<StructuralOptions, 'documentation' | 'closedMaps'>;

/**
 * Returns true if a node has no keywords except those with schemas of its children, the `ignored` ones, and documentation that does not
 * count.
 */
function saysNothingBut(props: SchemaProps, ignored: readonly (keyof SchemaProps)[], { documentation }: Counting): boolean {
  return props.vocabulary.keywords.every(({ field, form, nesting }) => {
    if (nesting === 'structure' || nesting === 'unsupported' || ignored.includes(field)) return true;
    return (nesting === 'documentation' && documentation === 'ignored') || form.isZero(props[field]);
  });
}

/** Returns true if a branch has the keyword `type` with this value and no other keyword. */
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

/**
 * Returns true if `anyOf` is exactly `[{type: integer}, {type: string}]`. A schema with `x-kubernetes-int-or-string` may contain this
 * `anyOf`.
 */
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
 * Returns true if the schema of a resource's metadata restricts only `name` and `generateName`. `type` and `default` do not count, and an
 * empty enum does not count either. Other lists count even if they are empty, because Go compares the whole struct, in which an empty slice
 * differs from a missing one.
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
