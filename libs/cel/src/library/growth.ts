import type { Growth } from './define.ts';

/**
 * Returns zero growth, for a CEL function that reads at most a fixed amount of its arguments. The number of steps of a call then does not
 * depend on the sizes of the arguments. `source` names the upstream code with this growth.
 */
export const bounded = (source: string): Growth => ({ power: 0, source });

/**
 * Returns linear growth: the number of steps of a call rises in proportion to the size of its arguments. `source` names the upstream code
 * with this growth.
 */
export const linear = (source: string): Growth => ({ power: 1, source });

/**
 * Returns the growth of a function call whose number of steps is proportional to the product of the sizes of two arguments. `source` names
 * the upstream code with this growth.
 */
export const quadratic = (source: string): Growth => ({ power: 2, source });
