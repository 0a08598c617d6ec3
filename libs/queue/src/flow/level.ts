/**
 * Priority levels, as in API Priority and Fairness (KEP-1040): how much of the service a flow gets while others want it too. `exempt` is
 * served before all others and never refused; the rest are weights, not ranks, so that no level starves another.
 */
export const LEVELS = ['exempt', 'high', 'normal', 'low'] as const;
export type Level = (typeof LEVELS)[number];

/** Weights of the levels. While both wait, `high` gets four times the capacity of `low`. The weight of `exempt` is not used. */
export const LEVEL_WEIGHTS: Readonly<Record<Level, number>> = { exempt: 1, high: 4, normal: 2, low: 1 };

/** Returns a value for each level. */
export function byLevel<T>(valueOf: (level: Level) => T): Readonly<Record<Level, T>> {
  return { exempt: valueOf('exempt'), high: valueOf('high'), normal: valueOf('normal'), low: valueOf('low') };
}
