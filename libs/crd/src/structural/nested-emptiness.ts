import { ABSENT_LIST } from '../schema/schema-props.ts';
import type { Extensions, Generic, NestedValidation, Structural, StructuralOptions, ValueValidation } from './structural.ts';

/** What counts as saying something. */
type Counting = Pick<StructuralOptions, 'documentation' | 'closedMaps'>;

function saysNoValues(v: ValueValidation): boolean {
  return (
    v.format === '' &&
    v.maximum === undefined &&
    !v.exclusiveMaximum &&
    v.minimum === undefined &&
    !v.exclusiveMinimum &&
    v.maxLength === undefined &&
    v.minLength === undefined &&
    v.pattern === '' &&
    v.maxItems === undefined &&
    v.minItems === undefined &&
    !v.uniqueItems &&
    v.multipleOf === undefined &&
    v.enum === undefined &&
    v.maxProperties === undefined &&
    v.minProperties === undefined &&
    v.required.length === 0 &&
    v.allOf.length === 0 &&
    v.oneOf.length === 0 &&
    v.anyOf.length === 0 &&
    v.not === undefined
  );
}

function saysNothingGeneric(g: Generic, { documentation }: Counting): boolean {
  return (
    g.description === '' &&
    g.title === '' &&
    g.default === undefined &&
    !g.nullable &&
    (documentation === 'ignored' || (g.externalDocs === undefined && g.example === undefined))
  );
}

function extendsNothing(x: Extensions): boolean {
  return (
    !x.preserveUnknownFields &&
    !x.embeddedResource &&
    !x.intOrString &&
    x.listMapKeys.length === 0 &&
    x.listType === undefined &&
    x.mapType === undefined
  );
}

/** True for a branch that says nothing but a type. Lists count even when they are empty, but for `enum`: Go compares structs, where an empty slice is not a missing one. */
function onlyTypes(branch: NestedValidation, type: string, counting: Counting): boolean {
  return (
    saysNoValues(withoutEmptyEnum(branch)) &&
    branch.required === ABSENT_LIST &&
    branch.rules === ABSENT_LIST &&
    branch.forbiddenExtensions.listMapKeys === ABSENT_LIST &&
    branch.items === undefined &&
    branch.properties === undefined &&
    branch.additionalProperties === undefined &&
    !(branch.closed && counting.closedMaps === 'count') &&
    branch.forbiddenGenerics.type === type &&
    saysNothingGeneric(branch.forbiddenGenerics, counting) &&
    extendsNothing(branch.forbiddenExtensions)
  );
}

/** The structural schema of upstream has no enum where the schema's is empty. */
const withoutEmptyEnum = (v: ValueValidation): ValueValidation => (v.enum?.length === 0 ? { ...v, enum: undefined } : v);

/** True for exactly `anyOf: [{type: integer}, {type: string}]`, which an int-or-string may spell out. */
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
 * True when the schema of a resource's metadata restricts nothing but name and generateName. Type and default do not count, nor does an empty enum;
 * other lists do, even when they are empty: Go compares the whole struct, where an empty slice is not a missing one.
 */
export function restrictsOnlyNames(metadata: Structural, counting: Counting): boolean {
  const names = [...(metadata.properties?.keys() ?? [])];
  return (
    names.every((name) => name === 'name' || name === 'generateName') &&
    metadata.items === undefined &&
    metadata.additionalPropertiesAllowed === undefined &&
    metadata.rules === ABSENT_LIST &&
    metadata.required === ABSENT_LIST &&
    metadata.listMapKeys === ABSENT_LIST &&
    saysNothingGeneric({ ...metadata, default: undefined }, counting) &&
    extendsNothing(metadata) &&
    saysNoValues(withoutEmptyEnum(metadata))
  );
}
