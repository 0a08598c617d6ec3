/** A count with its digits in groups of three. */
export const grouped = (count: string | number | bigint): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
