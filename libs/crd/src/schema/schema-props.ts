import type { JsonValue } from '#go';

/** A list that is not there. Go tells it from an empty one, though only texts of errors show the difference. */
export const ABSENT_LIST: readonly never[] = [];

/**
 * A node of an OpenAPI v3 schema as a definition carries it, decoded. Absent strings are empty and absent flags false, as in Go; a keyword
 * that may be absent is undefined. Source: apiextensions-apiserver pkg/apis/apiextensions/types_jsonschema.go (1.37).
 */
export interface SchemaProps {
  readonly id: string;
  readonly schema: string;
  readonly ref: string | undefined;
  readonly description: string;
  readonly type: string;
  readonly format: string;
  readonly title: string;
  readonly default: JsonValue | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly maxLength: number | bigint | undefined;
  readonly minLength: number | bigint | undefined;
  readonly pattern: string;
  readonly maxItems: number | bigint | undefined;
  readonly minItems: number | bigint | undefined;
  readonly uniqueItems: boolean;
  readonly multipleOf: number | undefined;
  readonly enum: readonly JsonValue[] | undefined;
  readonly maxProperties: number | bigint | undefined;
  readonly minProperties: number | bigint | undefined;
  readonly required: readonly string[];
  readonly items: SchemaOrSchemas | undefined;
  readonly allOf: readonly SchemaProps[];
  readonly oneOf: readonly SchemaProps[];
  readonly anyOf: readonly SchemaProps[];
  readonly not: SchemaProps | undefined;
  readonly properties: ReadonlyMap<string, SchemaProps> | undefined;
  readonly additionalProperties: SchemaOrBool | undefined;
  readonly patternProperties: ReadonlyMap<string, SchemaProps> | undefined;
  readonly dependencies: ReadonlyMap<string, SchemaOrStrings> | undefined;
  readonly additionalItems: SchemaOrBool | undefined;
  readonly definitions: ReadonlyMap<string, SchemaProps> | undefined;
  readonly externalDocs: ExternalDocs | undefined;
  readonly example: JsonValue | undefined;
  readonly nullable: boolean;
  readonly preserveUnknownFields: boolean | undefined;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listMapKeys: readonly string[];
  readonly listType: string | undefined;
  readonly mapType: string | undefined;
  readonly rules: readonly ValidationRule[];
}

/** `items`: one schema, or a list of schemas (which no definition may use). */
export interface SchemaOrSchemas {
  readonly schema: SchemaProps | undefined;
  readonly schemas: readonly SchemaProps[];
}

/** `additionalProperties`: a schema (then `allows` is true), or a bool. */
export interface SchemaOrBool {
  readonly allows: boolean;
  readonly schema: SchemaProps | undefined;
}

/** A dependency: a schema or property names. */
export interface SchemaOrStrings {
  readonly schema: SchemaProps | undefined;
  readonly property: readonly string[];
}

/** Where documentation is. */
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
