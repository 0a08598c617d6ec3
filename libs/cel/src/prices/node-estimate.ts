import type { CostVersion } from '../library/define.ts';
import type { CostRange, SizeRange } from '../library/range.ts';

/** Inputs of a cost estimate besides the expression. */
export interface EstimateOptions {
  /**
   * Returns the size of the value at the end of a path. Undefined if the schema does not determine the size. A path is a variable, followed
   * by field names and the steps in `PATH_STEP`, and is never empty.
   */
  readonly sizeAt: (steps: readonly string[]) => SizeRange | undefined;
  readonly costs: CostVersion;
  /** True if `has()` itself costs one unit. Kubernetes never sets this option. */
  readonly presenceTestHasCost?: boolean;
}

/** Estimated cost of one node, for a single evaluation of this node. */
export interface NodeEstimate {
  /** Cost of the node without its operands. It is 0 for a comprehension. */
  readonly own: CostRange;
  /** Cost of the node with its operands. */
  readonly total: CostRange;
  /** Number of times that a comprehension evaluates its condition and its step. Undefined for all other nodes. */
  readonly iterations: SizeRange | undefined;
}
