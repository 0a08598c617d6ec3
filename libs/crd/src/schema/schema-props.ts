import { memoizeWeak } from '#go';

/** List that represents an absent list. Go distinguishes an absent list from an empty one, but only error texts show the difference. */
export const ABSENT_LIST: readonly never[] = [];

/**
 * Decoded node of the OpenAPI v3 schema of a definition. Each family of keywords (`keywords/`) adds its own fields to this interface, and
 * the vocabulary adds itself. As in Go, absent strings are empty and absent flags are false. Other absent keywords are undefined. Source:
 * apiextensions-apiserver pkg/apis/apiextensions/types_jsonschema.go (1.37).
 */
export interface SchemaProps {}

/** Value of `items`: one schema or a list of schemas. Definitions must not use a list. */
export interface SchemaOrSchemas {
  readonly schema: SchemaProps | undefined;
  readonly schemas: readonly SchemaProps[];
}

/** Value of `additionalProperties`: a schema or a boolean. If it is a schema, `allows` is true. */
export interface SchemaOrBool {
  readonly allows: boolean;
  readonly schema: SchemaProps | undefined;
}

/** Value of `dependencies` for one property: a schema or a list of property names. */
export interface SchemaOrStrings {
  readonly schema: SchemaProps | undefined;
  readonly property: readonly string[];
}

/** Link to external documentation, with a description. */
export interface ExternalDocs {
  readonly description: string;
  readonly url: string;
}

/** One entry of x-kubernetes-validations. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string | undefined;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean | undefined;
}

/**
 * Returns true if the predicate holds for a schema or any schema below it, for all keywords that contain schemas. A schema object that
 * occurs in several places is tested once. Source: validation.go `SchemaHas` (1.37).
 */
export function schemaHas(schema: SchemaProps | undefined, holds: (schema: SchemaProps) => boolean): boolean {
  return schema !== undefined && has(schema, holds, new Set());
}

function has(schema: SchemaProps, holds: (schema: SchemaProps) => boolean, visited: Set<SchemaProps>): boolean {
  if (visited.has(schema)) return false;
  visited.add(schema);
  if (holds(schema)) return true;
  return someChild(schema, (child) => has(child, holds, visited));
}

/** Returns a function that tests if `isSaid` is true for a schema or any schema below it. The function caches its result for each node. */
function remembered(isSaid: (schema: SchemaProps) => boolean): (schema: SchemaProps) => boolean {
  const holds: (schema: SchemaProps) => boolean = memoizeWeak((schema) => isSaid(schema) || someChild(schema, holds));
  return holds;
}

/** Returns true if the schema or any schema below it has a rule in x-kubernetes-validations. */
export const holdsRules = remembered(({ rules }) => rules.length > 0);

/** Returns true if the schema or any schema below it has a default. */
export const holdsDefaults = remembered((schema) => schema.default !== undefined);

/** Returns true if `holds` is true for a direct child of a schema. It tests the children in order and stops at the first match. */
function someChild(schema: SchemaProps, holds: (child: SchemaProps) => boolean): boolean {
  const { items } = schema;
  if (items !== undefined && ((items.schema !== undefined && holds(items.schema)) || items.schemas.some(holds))) return true;
  if (schema.allOf.some(holds) || schema.anyOf.some(holds) || schema.oneOf.some(holds)) return true;
  if (schema.not !== undefined && holds(schema.not)) return true;
  if (someOf(schema.properties, holds)) return true;
  if (schema.additionalProperties?.schema !== undefined && holds(schema.additionalProperties.schema)) return true;
  if (someOf(schema.patternProperties, holds)) return true;
  if (schema.additionalItems?.schema !== undefined && holds(schema.additionalItems.schema)) return true;
  if (someOf(schema.definitions, holds)) return true;
  return someOf(schema.dependencies, ({ schema: dependency }) => dependency !== undefined && holds(dependency));
}

function someOf<T>(children: ReadonlyMap<string, T> | undefined, holds: (child: T) => boolean): boolean {
  if (children === undefined) return false;
  for (const child of children.values()) if (holds(child)) return true;
  return false;
}
