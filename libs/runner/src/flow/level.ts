/**
 * Priority levels, as in API Priority and Fairness (KEP-1040). They decide how much of the service a flow receives while other flows also
 * have work. `exempt` is served before all other levels, and only limits on total size apply to it. The other levels have weights instead
 * of ranks, so that no level starves.
 */
export const LEVELS = ['exempt', 'high', 'normal', 'low'] as const;
export type Level = (typeof LEVELS)[number];

/**
 * Weights of the priority levels. While both `high` and `low` have waiting work, `high` receives four times the capacity of `low`. The
 * weight of `exempt` is not used.
 */
export const LEVEL_WEIGHTS: Readonly<Record<Level, number>> = { exempt: 1, high: 4, normal: 2, low: 1 };

/** Returns an object with one value for each priority level. `valueOf` computes the values. */
export function byLevel<T>(valueOf: (level: Level) => T): Readonly<Record<Level, T>> {
  return { exempt: valueOf('exempt'), high: valueOf('high'), normal: valueOf('normal'), low: valueOf('low') };
}
