import type { Change } from '#kube';
import { CRD_CHANGES } from '../minors/minors.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import type { NestedValidation, Structural, StructuralOptions } from './structural.ts';

/** Options that decide which keywords count when a node is tested for emptiness. The options differ between Kubernetes minor versions. */
export type CountingOptions = Pick<StructuralOptions, 'documentation' | 'closedMaps'>;

/**
 * Returns true if a node has only keywords that do not count. These are keywords for child schemas, the keywords in `ignored`, and
 * documentation if the options ignore it.
 */
function hasOnlyIgnoredKeywords(props: SchemaProps, ignored: readonly (keyof SchemaProps)[], { documentation }: CountingOptions): boolean {
  return props.vocabulary.keywords.every(({ field, form, nesting }) => {
    if (nesting === 'structure' || nesting === 'unsupported' || ignored.includes(field)) return true;
    return (nesting === 'documentation' && documentation === 'ignored') || form.isZero(props[field]);
  });
}

/** Returns true if a branch has the keyword `type` with the given value and no other keyword that counts. */
function onlyTypes(branch: NestedValidation, type: string, counting: CountingOptions): boolean {
  return (
    branch.props.type === type &&
    branch.items === undefined &&
    branch.properties === undefined &&
    branch.additionalProperties === undefined &&
    !(branch.closed && counting.closedMaps === 'count') &&
    hasOnlyIgnoredKeywords(branch.props, ['type'], counting)
  );
}

/**
 * Returns true if `anyOf` is exactly `[{type: integer}, {type: string}]`. A schema with `x-kubernetes-int-or-string` may contain this
 * `anyOf`.
 */
export function isIntOrStringChoice(anyOf: readonly NestedValidation[], counting: CountingOptions): boolean {
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
const LENIENT: CountingOptions = { documentation: 'ignored', closedMaps: 'ignored' };

/**
 * Returns the differences because of which some Kubernetes versions pass a test for emptiness that fails under the options `counting`.
 * Returns an empty list if all versions fail it.
 */
export function changesOfCounting(
  { documentation, closedMaps }: CountingOptions,
  holds: (counting: CountingOptions) => boolean,
): readonly Change[] {
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
export function restrictsOnlyNames(metadata: Structural, counting: CountingOptions): boolean {
  const names = [...(metadata.properties?.keys() ?? [])];
  return (
    names.every((name) => name === 'name' || name === 'generateName') &&
    metadata.items === undefined &&
    metadata.additionalPropertiesAllowed === undefined &&
    hasOnlyIgnoredKeywords(metadata.props, ['type', 'default'], counting)
  );
}
