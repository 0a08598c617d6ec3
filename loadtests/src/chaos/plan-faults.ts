import { shuffled } from '../../../testing/seeded-random.ts';
import { FAULT_KINDS } from './faults.ts';
import type { FaultKind } from './faults.ts';
import type { FleetKind } from './fleet.ts';
import { OFFER_FAULTS } from './offer-faults.ts';

/** Fault of a fault run, with its planned time, duration and target (the number that selects one of several equal members). */
export interface PlannedFault {
  readonly kind: FaultKind;
  /** Time from the beginning of the pair to the beginning of the fault, in ms. */
  readonly afterMs: number;
  readonly lastsMs: number;
  readonly target: number;
}

/**
 * Two faults of different kinds; the second fault begins during the first. If the number of planned faults is odd, one pair contains only a
 * single fault.
 */
export interface PlannedPair {
  /** Pause in ms before the pair begins. */
  readonly quietMs: number;
  readonly faults: readonly PlannedFault[];
}

const QUIET_MS = [50, 600] as const;

/** Returns the kinds of faults that apply to a kind of fleet. */
export const kindsOf = (fleet: FleetKind): readonly FaultKind[] =>
  fleet === 'offers' ? OFFER_FAULTS : FAULT_KINDS.filter(({ of }) => of === undefined || of.includes(fleet));

/**
 * Plans `count` faults in pairs. Each pair of kinds occurs once per cycle. The same seed produces the same plan, but the events between the
 * faults may differ.
 */
export function planFaults(count: number, random: () => number, fleet: FleetKind): PlannedPair[] {
  const between = ([low, high]: readonly [number, number]): number => Math.round(low + random() * (high - low));
  const target = (): number => Math.floor(random() * 1e6);
  const plan: PlannedPair[] = [];
  for (let planned = 0; planned < count;) {
    for (const pair of shuffled(pairsOf(kindsOf(fleet)), random)) {
      if (planned >= count) break;
      const [first, second] = shuffled(pair, random).slice(0, count - planned);
      if (!first) throw new Error('there are no kinds of faults');
      const lastsMs = between(first.lasts);
      const faults = [{ kind: first, afterMs: 0, lastsMs, target: target() }];
      if (second) faults.push({ kind: second, afterMs: between([0, lastsMs]), lastsMs: between(second.lasts), target: target() });
      plan.push({ quietMs: between(QUIET_MS), faults });
      planned += faults.length;
    }
  }
  return plan;
}

function pairsOf<T>(all: readonly T[]): (readonly T[])[] {
  return all.flatMap((first, i) => all.slice(i + 1).map((second) => [first, second]));
}
