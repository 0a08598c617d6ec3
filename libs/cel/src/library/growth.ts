import type { Growth } from './define.ts';

/** States that a call looks at a bounded part of its arguments. */
export const bounded = (source: string): Growth => ({ power: 0, source });

/** States that a call walks its arguments a bounded number of times. */
export const linear = (source: string): Growth => ({ power: 1, source });

/** States that a call may meet each part of one argument with each part of another. */
export const quadratic = (source: string): Growth => ({ power: 2, source });
