import { shuffled } from '../../../testing/seeded-random.ts';
import { FAULT_KINDS } from './faults.ts';
import type { FaultKind } from './faults.ts';
import type { FleetKind } from './fleet.ts';
import { OVERFLOW_FAULTS } from './overflow-faults.ts';

/** One fault that is planned. */
export interface PlannedFault {
  readonly kind: FaultKind;
  /** After the beginning of its pair, ms. */
  readonly afterMs: number;
  readonly lastsMs: number;
  readonly target: number;
}

/** Two faults of different kinds: the second one begins during the first one. Or a single fault that is left over. */
export interface PlannedPair {
  /** Quiet before it, ms. */
  readonly quietMs: number;
  readonly faults: readonly PlannedFault[];
}

const QUIET_MS = [50, 600] as const;

/** Returns the kinds that can befall a fleet. */
export const kindsOf = (fleet: FleetKind): readonly FaultKind[] =>
  fleet === 'overflow' ? OVERFLOW_FAULTS : FAULT_KINDS.filter(({ of }) => of === undefined || of.includes(fleet));

/**
 * Plans faults in pairs, the same for the same seed; what happens between them is not. Every combination of two kinds comes once before any comes again.
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
