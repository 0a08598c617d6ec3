import { memoizeRecent } from '#go';

/** Number of stored values, and maximum length of their texts in UTF-16 code units. Clients usually send few different texts. */
const RECENT = { count: 200, length: 500 } as const;

/** Returns a function that stores the results of `compute` for recent short texts, such as headers. */
export const memoizeHeaders = <Value>(compute: (text: string) => Value): ((text: string) => Value) => memoizeRecent(compute, RECENT);
