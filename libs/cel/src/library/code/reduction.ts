import type { Fragment } from './javascript.ts';
import type { Operand } from './shape.ts';
import type { CodeSite } from './site.ts';

/** The knowledge about a list while its elements come one by one. */
interface Reduction {
  /** Writes what an element changes. It comes in the shape of its declared type. */
  readonly take: (element: Operand) => void;
  /** Writes the code of the result after all elements, and returns its operand. */
  readonly result: () => Operand;
}

/**
 * Writes an overload of a list for a list that a macro would make only for this call. Elements come one by one and are
 * not kept. It declares the variables of the reduction; `count` is the number of elements so far.
 */
export type InlineReduction = (site: CodeSite, count: Fragment) => Reduction;
