import type { JsonValue, ScalarList } from '#go';
import type { Minor, TooLongWords, TooManyWords } from '#kube';
import type { SchemaWalk } from './schema-walk.ts';

/** Function that validates a value against a schema node, including the nodes below it. It records the errors in `walk`. */
export interface NodeCheck {
  (value: JsonValue, walk: SchemaWalk): void;
  /**
   * Returns true if the bounds in `elements`, such as the smallest and the largest integer, prove that all elements of a list are valid. In
   * this case, also counts the matches of the elements. `false` is inconclusive: the caller must validate each element.
   */
  readonly acceptsAll: (elements: ScalarList, count: number, walk: SchemaWalk) => boolean;
}

/** Validation behaviour that differs between Kubernetes minor versions. */
export interface ValidationBehaviour {
  readonly minor: Minor;
  readonly tooLong: TooLongWords;
  readonly tooMany: TooManyWords;
  /** True if errors about `minLength`, `minItems` and `minProperties` have types of their own (since 1.38). */
  readonly typedShortages: boolean;
  /** True if formats of integers and numbers are enforced and bounds must fit the type (since 1.36). */
  readonly typedNumbers: boolean;
  /** Returns true if a float counts as an integer. A tiny difference from an integer is tolerated. */
  readonly isIntegral: (float: number) => boolean;
  /** Kubernetes minor version whose string formats the server knows. */
  readonly formatMinor: number;
  /**
   * True for the validation of defaults. Upstream converts the schema of defaults differently: formats are kept for every type, and an
   * int-or-string has no type. Source: apiextensions-apiserver pkg/apiserver/schema/kubeopenapi.go (1.37).
   */
  readonly forDefaults: boolean;
}
