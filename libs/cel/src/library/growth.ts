import type { Growth } from './define.ts';

/** Returns the growth of a call that reads at most a fixed amount of its arguments. */
export const bounded = (source: string): Growth => ({ power: 0, source });

/** Returns the growth of a call that traverses its arguments at most a fixed number of times. */
export const linear = (source: string): Growth => ({ power: 1, source });

/** Returns the growth of a call that may combine each part of one argument with each part of another argument. */
export const quadratic = (source: string): Growth => ({ power: 2, source });
