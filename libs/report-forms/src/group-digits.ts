/** Returns a count with its digits in groups of three. */
export const grouped = (count: string | number | bigint): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** Returns a cost as text. A cost of 14 digits or more is shown as a power of ten, because its exact value has no further use. */
export const shortCost = (cost: string): string =>
  cost.length < 14 ? grouped(cost) : Number(cost).toExponential(1).replace('e+', ' × 10^');
