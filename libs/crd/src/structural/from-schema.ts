import { SCHEMA_WORK } from '../definition/work-done.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import type { Extensions, Generic, NestedValidation, Structural, ValueValidation } from './structural.ts';

/** A schema in structural form, or why it has none. */
export type StructuralResult = { readonly ok: true; readonly structural: Structural } | { readonly ok: false; readonly error: string };

/** Nodes that were converted: the form of a node follows from it alone, and schemas share nodes. */
const converted = new WeakMap<SchemaProps, Structural>();

/** Unwinds the conversion; caught in `toStructural`. */
class NotStructural extends Error {}

/**
 * Converts a schema to structural form. That can fail for keywords which have no place there; whether the result obeys the rules of
 * structural schemas is checked elsewhere (`validate-structural.ts`). Source: apiextensions-apiserver pkg/apiserver/schema/convert.go `NewStructural` (1.37).
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
  const values = valueValidation(schema);
  const generic = generics(schema);
  const extension = extensions(schema);
  const items = itemsOf(schema);
  const properties = schema.properties;
  const additional = schema.additionalProperties;
  return {
    ...generic,
    ...extension,
    ...values,
    rules: schema.rules,
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

function generics(schema: SchemaProps): Generic {
  const { description, type, title, nullable, externalDocs, example } = schema;
  return { description, type, title, default: schema.default, nullable, externalDocs, example };
}

function extensions(schema: SchemaProps): Extensions {
  if (schema.preserveUnknownFields === false) {
    throw new NotStructural("internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined");
  }
  const { embeddedResource, intOrString, listMapKeys, listType, mapType } = schema;
  return { preserveUnknownFields: schema.preserveUnknownFields === true, embeddedResource, intOrString, listMapKeys, listType, mapType };
}

const toNumber = (value: number | bigint | undefined): number | undefined => (value === undefined ? undefined : Number(value));

function valueValidation(schema: SchemaProps): ValueValidation {
  const not = schema.not && nested(schema.not);
  return {
    format: schema.format,
    maximum: schema.maximum,
    exclusiveMaximum: schema.exclusiveMaximum,
    minimum: schema.minimum,
    exclusiveMinimum: schema.exclusiveMinimum,
    maxLength: toNumber(schema.maxLength),
    minLength: toNumber(schema.minLength),
    pattern: schema.pattern,
    maxItems: toNumber(schema.maxItems),
    minItems: toNumber(schema.minItems),
    uniqueItems: schema.uniqueItems,
    multipleOf: schema.multipleOf,
    enum: schema.enum,
    maxProperties: toNumber(schema.maxProperties),
    minProperties: toNumber(schema.minProperties),
    required: schema.required,
    allOf: schema.allOf.map(nested),
    anyOf: schema.anyOf.map(nested),
    oneOf: schema.oneOf.map(nested),
    not,
  };
}

function nested(schema: SchemaProps): NestedValidation {
  refuseUnsupported(schema);
  const values = valueValidation(schema);
  const forbiddenGenerics = generics(schema);
  const forbiddenExtensions = extensions(schema);
  const items = itemsOf(schema);
  return {
    ...values,
    rules: schema.rules,
    forbiddenGenerics,
    forbiddenExtensions,
    items: items && nested(items),
    properties: schema.properties && mapValues(schema.properties, nested),
    additionalProperties: nestedAdditional(schema),
    closed: schema.additionalProperties?.allows === false && schema.additionalProperties.schema === undefined,
  };
}

/** `additionalProperties: true` inside a junctor counts as a schema that says nothing. */
function nestedAdditional(schema: SchemaProps): NestedValidation | undefined {
  const additional = schema.additionalProperties;
  if (additional?.schema !== undefined) return nested(additional.schema);
  return additional?.allows === true ? EMPTY_NESTED : undefined;
}

const NO_VALIDATION: ValueValidation = {
  format: '',
  maximum: undefined,
  exclusiveMaximum: false,
  minimum: undefined,
  exclusiveMinimum: false,
  maxLength: undefined,
  minLength: undefined,
  pattern: '',
  maxItems: undefined,
  minItems: undefined,
  uniqueItems: false,
  multipleOf: undefined,
  enum: undefined,
  maxProperties: undefined,
  minProperties: undefined,
  required: [],
  allOf: [],
  oneOf: [],
  anyOf: [],
  not: undefined,
};
const NO_GENERICS: Generic = {
  description: '',
  type: '',
  title: '',
  default: undefined,
  nullable: false,
  externalDocs: undefined,
  example: undefined,
};
const NO_EXTENSIONS: Extensions = {
  preserveUnknownFields: false,
  embeddedResource: false,
  intOrString: false,
  listMapKeys: [],
  listType: undefined,
  mapType: undefined,
};
const EMPTY_NESTED: NestedValidation = {
  ...NO_VALIDATION,
  rules: [],
  items: undefined,
  properties: undefined,
  additionalProperties: undefined,
  closed: false,
  forbiddenGenerics: NO_GENERICS,
  forbiddenExtensions: NO_EXTENSIONS,
};

/** A structural schema that says nothing. */
export const EMPTY_STRUCTURAL: Structural = {
  ...NO_VALIDATION,
  ...NO_GENERICS,
  ...NO_EXTENSIONS,
  rules: [],
  items: undefined,
  properties: undefined,
  additionalProperties: undefined,
  additionalPropertiesAllowed: undefined,
};
