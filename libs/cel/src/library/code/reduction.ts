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
 * Function that emits code for a call such as `list.map(…).sum()`, whose argument is a list that only this call uses. The code processes
 * the elements of the list one by one and never stores the list. The function declares the variables of the code. It returns two emitters:
 * one for an element, and one for the result. `count` is code for the number of elements processed so far.
 */
export type InlineReduction = (site: CodeSite, count: Fragment) => Reduction;
