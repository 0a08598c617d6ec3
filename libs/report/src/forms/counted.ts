import { grouped } from './group-digits.ts';

/** Returns a count followed by its noun: `1 object`, `2,000 objects`. */
export const times = (count: number, what: string): string => `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;
