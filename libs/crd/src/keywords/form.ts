import type { JsonValue } from '#go';
import type { SchemaDecoder } from '../schema/decode-schema.ts';
import type { Keyword, KeywordChange, KeywordDocs, Nesting } from './keyword.ts';

/**
 * Word in the error about a keyword that is forbidden inside `allOf`, `anyOf`, `oneOf` and `not`. The word says what the keyword must be
 * there.
 */
export type BlankWord = 'empty' | 'undefined' | 'false';

/**
 * Description of the type of a keyword's values, with functions that decode and encode such values. Source: apiextensions-apiserver
 * pkg/apis/apiextensions/v1/types_jsonschema.go, marshal.go (1.37).
 */
export interface Form<Value> {
  /** Value of a keyword that the schema does not contain. */
  readonly absent: Value;
  readonly blank: BlankWord;
  /** Returns true if a value has the same effect as an absent keyword. */
  isAbsent(value: Value): boolean;
  /**
   * Returns true if the value is Go's zero value in a structural schema. In contrast to an absent slice, an empty slice is not a zero
   * value.
   */
  isZero(value: Value): boolean;
  /** Decodes a value. A value of the wrong type is reported to the decoder and treated as absent. */
  decode(decoder: SchemaDecoder, json: JsonValue, path: string): Value;
  /** Returns the value in JSON of v1, or undefined if Go's `omitempty` omits the field. */
  encode(value: Value): JsonValue | undefined;
  /** Returns the value as Go's encoding/json encodes the internal type. */
  struct(value: Value): JsonValue;
}

/** Name and position of a keyword's field in Go's structs. */
type GoField = Pick<Keyword, 'goField' | 'position' | 'internalPosition'>;

const AS_IS: KeywordChange = { kind: 'none' };

/** Declaration of a keyword that rejects no value. */
interface Silent extends GoField {
  readonly nesting: Nesting;
  readonly docs: KeywordDocs | undefined;
  readonly change?: KeywordChange;
}

/**
 * Returns the declaration of a schema keyword that rejects no value. Such a keyword can only affect pruning, defaulting, list types and
 * rules.
 */
export function keywordWithoutChecks<Value>(name: string, form: Form<Value>, declared: Silent): Keyword<Value> {
  return { name, form, change: AS_IS, appliesTo: [], fastPaths: {}, ...declared };
}

/** Returns the declaration of an OpenAPI keyword that definitions must not contain. */
export function unsupported<Value>(name: string, form: Form<Value>, field: GoField): Keyword<Value> {
  return keywordWithoutChecks(name, form, { ...field, nesting: 'unsupported', docs: undefined });
}

/**
 * Returns the effect of a changed keyword, for a keyword of which any change may reject stored objects or store valid objects differently.
 * If `loosenedByRemoval` is true, a removal of the keyword is harmless.
 */
export function exactChange(change: string, { loosenedByRemoval = false } = {}): KeywordChange {
  return { kind: 'exact', change, loosenedByRemoval };
}
