/** Returns a count with commas between groups of three digits. */
export const grouped = (count: string | number | bigint): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** Returns a cost for display. A cost of 14 or more digits is shown as a rounded power of ten, because its exact value does not matter. */
export const shortCost = (cost: string): string =>
  cost.length < 14 ? grouped(cost) : Number(cost).toExponential(1).replace('e+', ' × 10^');
