import { SCHEMA_WORK } from '../definition/work-done.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import { KEYWORDS } from '../keywords/all.ts';
import type { Branches, NestedValidation, Structural } from './structural.ts';

/** Result of a conversion to structural form: the structural schema, or the reason why the schema cannot be converted. */
export type StructuralResult = { readonly ok: true; readonly structural: Structural } | { readonly ok: false; readonly error: string };

/** Cache of converted nodes. The structural form of a node depends only on the node, and schemas share nodes. */
const converted = new WeakMap<SchemaProps, Structural>();

/** Exception that aborts the conversion. `toStructural` catches it and returns its message. */
class NotStructural extends Error {}

/**
 * Converts a schema to structural form. The conversion fails if the schema has keywords that a structural schema cannot have. The rules of
 * structural schemas are checked separately in `validate-structural.ts`. Source: apiextensions-apiserver pkg/apiserver/schema/convert.go
 * `NewStructural` (1.37).
 */
export function toStructural(schema: SchemaProps): StructuralResult {
  try {
    return { ok: true, structural: convert(schema) };
  } catch (error) {
    if (error instanceof NotStructural) return { ok: false, error: error.message };
    throw error;
  }
}

function refuseUnsupported(schema: SchemaProps): void {
  const unsupported = (keyword: string): never => {
    throw new NotStructural(`OpenAPIV3Schema '${keyword}' is not supported`);
  };
  if (schema.id !== '') unsupported('id');
  if (schema.schema !== '') unsupported('schema');
  if (schema.ref !== undefined && schema.ref !== '') unsupported('$ref');
  if ((schema.patternProperties?.size ?? 0) > 0) unsupported('patternProperties');
  if ((schema.dependencies?.size ?? 0) > 0) unsupported('dependencies');
  if (schema.additionalItems !== undefined) unsupported('additionalItems');
  if ((schema.definitions?.size ?? 0) > 0) unsupported('definitions');
}

function itemsOf(schema: SchemaProps): SchemaProps | undefined {
  if (schema.items === undefined) return undefined;
  if (schema.items.schemas.length > 0) throw new NotStructural("OpenAPIV3Schema 'items' must be a schema, but is an array");
  return schema.items.schema;
}

function convert(schema: SchemaProps): Structural {
  const found = converted.get(schema);
  if (found !== undefined) return found;
  const structural = convertNode(schema);
  converted.set(schema, structural);
  return structural;
}

function convertNode(schema: SchemaProps): Structural {
  SCHEMA_WORK.converted++;
  refuseUnsupported(schema);
  const branches = branchesOf(schema);
  const { default: filling, type, format, nullable, pattern, required, rules, properties } = schema;
  const { embeddedResource, intOrString, listMapKeys, listType, mapType } = schema;
  const preserveUnknownFields = keepsUnknownFields(schema);
  const items = itemsOf(schema);
  const additional = schema.additionalProperties;
  return {
    props: schema,
    type,
    format,
    nullable,
    pattern,
    required,
    rules,
    default: filling,
    enum: schema.enum,
    minLength: toNumber(schema.minLength),
    maxLength: toNumber(schema.maxLength),
    minItems: toNumber(schema.minItems),
    maxItems: toNumber(schema.maxItems),
    minProperties: toNumber(schema.minProperties),
    maxProperties: toNumber(schema.maxProperties),
    preserveUnknownFields,
    embeddedResource,
    intOrString,
    listMapKeys,
    listType,
    mapType,
    branches,
    items: items && convert(items),
    properties: properties === undefined || properties.size === 0 ? undefined : mapValues(properties, convert),
    additionalProperties: additional?.schema && convert(additional.schema),
    additionalPropertiesAllowed: additional === undefined ? undefined : additional.schema !== undefined || additional.allows,
  };
}

function mapValues<A, B>(map: ReadonlyMap<string, A>, change: (value: A) => B): Map<string, B> {
  const out = new Map<string, B>();
  for (const [key, value] of map) out.set(key, change(value));
  return out;
}

function keepsUnknownFields({ preserveUnknownFields }: SchemaProps): boolean {
  if (preserveUnknownFields !== false) return preserveUnknownFields === true;
  throw new NotStructural("internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined");
}

const toNumber = (value: number | bigint | undefined): number | undefined => (value === undefined ? undefined : Number(value));

const NO_BRANCHES: Branches = { allOf: [], oneOf: [], anyOf: [], not: undefined };

function branchesOf({ allOf, anyOf, oneOf, not }: SchemaProps): Branches {
  if (allOf.length + anyOf.length + oneOf.length === 0 && not === undefined) return NO_BRANCHES;
  const inverse = not && nested(not);
  return { allOf: allOf.map(nested), anyOf: anyOf.map(nested), oneOf: oneOf.map(nested), not: inverse };
}

function nested(schema: SchemaProps): NestedValidation {
  refuseUnsupported(schema);
  const branches = branchesOf(schema);
  keepsUnknownFields(schema);
  const items = itemsOf(schema);
  return {
    props: schema,
    branches,
    items: items && nested(items),
    properties: schema.properties && mapValues(schema.properties, nested),
    additionalProperties: nestedAdditional(schema),
    closed: schema.additionalProperties?.allows === false && schema.additionalProperties.schema === undefined,
  };
}

/**
 * Returns the nested form of `additionalProperties`. Inside `allOf`, `anyOf`, `oneOf` and `not`, the value `true` counts as the empty
 * schema. Undefined if the keyword is absent or `false`.
 */
function nestedAdditional({ additionalProperties, vocabulary }: SchemaProps): NestedValidation | undefined {
  if (additionalProperties?.schema !== undefined) return nested(additionalProperties.schema);
  return additionalProperties?.allows === true ? nested(vocabulary.empty) : undefined;
}

/** Structural schema without any keywords. It accepts every value. */
export const EMPTY_STRUCTURAL: Structural = convert(KEYWORDS.empty);
