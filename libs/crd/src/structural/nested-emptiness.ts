import type { Change } from '#kube';
import { CRD_CHANGES } from '../minors/minors.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import type { NestedValidation, Structural, StructuralOptions } from './structural.ts';

/** Options that decide which keywords count when a node is tested for emptiness. The options differ between Kubernetes minor versions. */
export type Counting = Pick<StructuralOptions, 'documentation' | 'closedMaps'>;

/**
 * Returns true if a node has only keywords that do not count. These are keywords for child schemas, the keywords in `ignored`, and
 * documentation if the options ignore it.
 */
function saysNothingBut(props: SchemaProps, ignored: readonly (keyof SchemaProps)[], { documentation }: Counting): boolean {
  return props.vocabulary.keywords.every(({ field, form, nesting }) => {
    if (nesting === 'structure' || nesting === 'unsupported' || ignored.includes(field)) return true;
    return (nesting === 'documentation' && documentation === 'ignored') || form.isZero(props[field]);
  });
}

/** Returns true if a branch has the keyword `type` with the given value and no other keyword that counts. */
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

/** Options of a Kubernetes version in which neither documentation nor closed maps count. */
const LENIENT: Counting = { documentation: 'ignored', closedMaps: 'ignored' };

/**
 * Returns the differences because of which some Kubernetes versions pass a test for emptiness that fails under the options `counting`.
 * Returns an empty list if all versions fail it.
 */
export function changesOfCounting({ documentation, closedMaps }: Counting, holds: (counting: Counting) => boolean): readonly Change[] {
  if (!holds(LENIENT)) return [];
  return [
    ...(documentation === 'counts' && !holds({ ...LENIENT, documentation }) ? [CRD_CHANGES.documentationIsStructural] : []),
    ...(closedMaps === 'count' && !holds({ ...LENIENT, closedMaps }) ? [CRD_CHANGES.nestedClosedMapsAreIgnored] : []),
  ];
}

/**
 * Returns true if the schema of a resource's metadata restricts only `name` and `generateName`. The keywords `type` and `default` are
 * ignored, and so is an empty `enum`. Any other keyword counts as a restriction, even if its value is an empty list. The reason is that Go
 * compares whole structs and distinguishes an empty slice from a missing slice.
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
