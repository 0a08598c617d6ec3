import type { JsonValue, ScalarList } from '#go';
import type { Minor, TooLongWords, TooManyWords } from '#kube';
import type { SchemaWalk } from './schema-walk.ts';

/** A whole schema node's validation. */
export interface NodeCheck {
  (value: JsonValue, walk: SchemaWalk): void;
  /**
   * Whether every element of a list can be told to be valid by what is known of them together; then their matches have been counted.
   * False says nothing: the elements must be checked one by one.
   */
  readonly acceptsAll: (elements: ScalarList, count: number, walk: SchemaWalk) => boolean;
}

/** What of a minor matters to validation. */
export interface Dialect {
  readonly minor: Minor;
  readonly tooLong: TooLongWords;
  readonly tooMany: TooManyWords;
  /** Formats of integers and numbers are enforced, and bounds must fit the type; since 1.36. */
  readonly typedNumbers: boolean;
  /** Whether a float counts as an integer; nearly so is enough. */
  readonly isIntegral: (float: number) => boolean;
  /** Minor whose string formats are known. */
  readonly formatMinor: number;
  /**
   * Defaults are validated by another conversion of the schema: formats are kept whatever the type, and an int-or-string has no type.
   * Source: apiextensions-apiserver pkg/apiserver/schema/kubeopenapi.go (1.37).
   */
  readonly forDefaults: boolean;
}
