import { memoizeRecent } from '#go';

/** Number of stored values, and maximum length of their texts in UTF-16 code units. */
const RECENT = { count: 16, length: 256 } as const;

/**
 * Returns a function that stores the results of `compute` for recent short texts. The rules of one object often parse the same address, URL
 * or quantity several times. Callers share the stored results, so they must never change them.
 */
export const memoizeShort = <Value>(compute: (text: string) => Value): ((text: string) => Value) => memoizeRecent(compute, RECENT);
