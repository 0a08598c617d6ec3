import type { SchemaBound } from './bounds.ts';
import type { Reestimated } from './suggest-for-schema.ts';

/** Counts are uint64: a cost beyond this stays at it. */
const SATURATED = 2n ** 64n - 1n;
/** Larger than any size that an estimate takes for an unbounded value. */
const HUGE = 10n ** 9n;

/**
 * Returns the bounds on which a cost depends: it changes if one of them becomes larger or smaller. Lists and maps above a rule always multiply its cost, at the latest
 * when all of them are bounded.
 */
export function drivingBounds({ bounds, cost, costWith }: Pick<Reestimated, 'bounds' | 'cost' | 'costWith'>): readonly SchemaBound[] {
  return bounds.filter((bound) => {
    if (bound.drives === 'evaluations') return true;
    if (cost >= SATURATED) return drivesSmall(bound, bounds, costWith);
    return sizesBeside(bound).some((value) => costWith([{ bound, value }]) !== cost);
  });
}

function sizesBeside({ value }: SchemaBound): readonly bigint[] {
  return value === undefined ? [1n, HUGE] : [value * 10n + 1n, value / 10n];
}

/** Returns whether a cost depends on a bound while all others are small: a cost at the end of the counts shows no change. */
function drivesSmall(bound: SchemaBound, all: readonly SchemaBound[], costWith: Reestimated['costWith']): boolean {
  const costAt = (size: bigint): bigint => costWith(all.map((one) => ({ bound: one, value: one === bound ? size : 1n })));
  return costAt(1n) !== costAt(100n);
}
