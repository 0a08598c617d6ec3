import type { FAMILIES } from '../keywords/all.ts';
import type { Vocabulary } from '../keywords/vocabulary.ts';

/** List that represents an absent list. Go distinguishes an absent list from an empty one, but only error texts show the difference. */
export const ABSENT_LIST: readonly never[] = [];

/** The fields that a family of keywords declares. */
type Declared<Family> = Family extends { readonly declares?: infer Props } ? Props : never;
type Joined<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void ? All : never;

/**
 * Decoded node of the OpenAPI v3 schema of a definition. It has the fields of all families of keywords (`keywords/`). As in Go, absent
 * strings are empty and absent flags are false. Other absent keywords are undefined. Source: apiextensions-apiserver
 * pkg/apis/apiextensions/types_jsonschema.go (1.37).
 */
export interface SchemaProps extends Joined<NonNullable<Declared<(typeof FAMILIES)[number]>>> {
  /** Keywords that were known when the schema was decoded. */
  readonly vocabulary: Vocabulary;
}

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
