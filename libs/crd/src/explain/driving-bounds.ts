import type { SchemaBound } from './bounds.ts';
import type { Reestimated } from './suggest-for-schema.ts';

/** Largest cost, because costs are uint64 and saturate at this value. */
const SATURATED = 2n ** 64n - 1n;
/** Size that exceeds every size that an estimate assumes for an unbounded value. */
const HUGE = 10n ** 9n;

/**
 * Returns the bounds on which a cost depends, such as `maxItems` of a list. The cost depends on a bound if it changes when the bound
 * becomes larger or smaller.
 *
 * Bounds of the lists and maps around a rule are always returned. Their product multiplies the rule's cost as soon as all of them have a
 * value.
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

/**
 * Returns true if a cost depends on a bound while all other bounds have the value 1. This test is necessary because a saturated cost does
 * not change.
 */
function drivesSmall(bound: SchemaBound, all: readonly SchemaBound[], costWith: Reestimated['costWith']): boolean {
  const costAt = (size: bigint): bigint => costWith(all.map((one) => ({ bound: one, value: one === bound ? size : 1n })));
  return costAt(1n) !== costAt(100n);
}
