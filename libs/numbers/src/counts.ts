/** Returns a whole number with all its digits, in groups of three: `1,572,864`. */
export const grouped = (count: string | number | bigint): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** Returns a count followed by its noun: `1 object`, `2,000 objects`. */
export const times = (count: number, what: string): string => `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;
