import type { Fragment } from './javascript.ts';
import type { Operand } from './shape.ts';
import type { CodeSite } from './site.ts';

/** Two emitters of code for a call that processes the elements of a list one by one. */
interface Reduction {
  /** Emits the code that processes one element. The element has the representation of its declared type. */
  readonly take: (element: Operand) => void;
  /** Emits the code that computes the result after all elements are processed, and returns the operand with this result. */
  readonly result: () => Operand;
}

/**
 * Function that emits code for an overload whose argument is a list that a macro would build only for this call. The elements are processed
 * one by one and are not stored. The function also declares the variables that the emitted code uses. `count` is the number of elements
 * processed so far.
 */
export type InlineReduction = (site: CodeSite, count: Fragment) => Reduction;
