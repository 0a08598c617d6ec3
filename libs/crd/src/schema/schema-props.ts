import type { FAMILIES } from '../keywords/all.ts';
import type { Vocabulary } from '../keywords/vocabulary.ts';

/** A list that is not there. Go tells it from an empty one, though only texts of errors show the difference. */
export const ABSENT_LIST: readonly never[] = [];

/** The fields that a family of keywords declares. */
type Declared<Family> = Family extends { readonly declares?: infer Props } ? Props : never;
type Joined<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void ? All : never;

/**
 * A node of an OpenAPI v3 schema as a definition carries it, decoded: the fields of all families of keywords (`keywords/`). Absent strings are empty and
 * absent flags false, as in Go; a keyword that may be absent is undefined. Source: apiextensions-apiserver pkg/apis/apiextensions/types_jsonschema.go (1.37).
 */
export interface SchemaProps extends Joined<NonNullable<Declared<(typeof FAMILIES)[number]>>> {
  /** The keywords by which the schema was read. */
  readonly vocabulary: Vocabulary;
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
