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
