import type { Fragment } from './javascript.ts';
import type { Operand } from './shape.ts';
import type { CodeSite } from './site.ts';

/** The knowledge about a list while its elements come one by one. */
interface Reduction {
  /** Writes what an element changes. It comes in the shape of its declared type. */
  readonly take: (element: Operand) => void;
  /** Where the result is once all elements have come; writes what that needs. */
  readonly result: () => Operand;
}

/**
 * Writes one overload of a list for a list that a macro would make only for this call: elements come one by one and are not kept. Declares what
 * the reduction needs; `count` says how many elements have come.
 */
export type InlineReduction = (site: CodeSite, count: Fragment) => Reduction;
