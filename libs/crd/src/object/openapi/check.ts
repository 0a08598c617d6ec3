import type { JsonValue, ScalarList } from '#go';
import type { Minor, TooLongWords, TooManyWords } from '#kube';
import type { SchemaWalk } from './schema-walk.ts';

/** A whole schema node's validation. */
export interface NodeCheck {
  (value: JsonValue, walk: SchemaWalk): void;
  /**
   * Returns true if the summary of a list proves that all its elements are valid; it then counts their matches. False
   * is inconclusive: the caller must check each element.
   */
  readonly acceptsAll: (elements: ScalarList, count: number, walk: SchemaWalk) => boolean;
}

/** Differences between minors that affect validation. */
export interface Dialect {
  readonly minor: Minor;
  readonly tooLong: TooLongWords;
  readonly tooMany: TooManyWords;
  /** Formats of integers and numbers are enforced, and bounds must fit the type; since 1.36. */
  readonly typedNumbers: boolean;
  /** Returns true if a float counts as an integer; a tiny fraction is tolerated. */
  readonly isIntegral: (float: number) => boolean;
  /** Minor whose string formats are known. */
  readonly formatMinor: number;
  /**
   * Defaults are validated by another conversion of the schema: formats are kept whatever the type, and an int-or-string has no type.
   * Source: apiextensions-apiserver pkg/apiserver/schema/kubeopenapi.go (1.37).
   */
  readonly forDefaults: boolean;
}
