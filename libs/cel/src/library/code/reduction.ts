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
 * Function that prepares code for a call whose argument is a list that a macro builds only for this call. The code processes the elements
 * one by one and does not store them. The function declares the variables of the code, and returns the emitters for its two parts. `count`
 * is the number of elements processed so far.
 */
export type InlineReduction = (site: CodeSite, count: Fragment) => Reduction;
