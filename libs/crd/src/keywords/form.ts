import type { JsonValue } from '#go';
import type { SchemaDecoder } from '../schema/schema-decoder.ts';

/** The word of the error for a keyword that a branch of a junctor must not use: it must be this. */
export type Blank = 'empty' | 'undefined' | 'false';

/** The form of a keyword's values: decodes and writes them. Source: apiextensions-apiserver pkg/apis/apiextensions/v1/types_jsonschema.go, marshal.go (1.37). */
export interface Form<Value> {
  /** The value of a keyword that is not there. */
  readonly absent: Value;
  readonly blank: Blank;
  /** Returns true if a value says nothing. */
  isAbsent(value: Value): boolean;
  /** Returns true if a structural schema holds Go's zero value: an empty slice is not a missing one. */
  isZero(value: Value): boolean;
  /** Reads a value. A value of a wrong type is noted, and absent. */
  decode(decoder: SchemaDecoder, json: JsonValue, path: string): Value;
  /** Returns the JSON of v1; undefined if Go's `omitempty` leaves the field out. */
  encode(value: Value): JsonValue | undefined;
  /** Returns the value as Go's encoding/json writes the internal type. */
  struct(value: Value): JsonValue;
}
