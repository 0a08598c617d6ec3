/** Formats a count with its digits in groups of three. */
export const grouped = (count: bigint): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
