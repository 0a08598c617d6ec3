import type { Ending } from './clients.ts';

/** Totals of evaluations that ended during the faults of one pair, or between them and the next pair. */
export interface PairTotals {
  /** Names of the two kinds, in order. */
  readonly pair: string;
  /** Times that the pair struck. */
  struck: number;
  evaluations: number;
  lost: number;
  doubled: number;
  wrong: number;
  /** All else that an invariant forbids. */
  other: number;
  /** Refusals with that code. */
  unavailable: number;
  /** The longest time, ms, from the end of both faults until an evaluation ended whole; undefined: none did before the next pair began. */
  recoveryMs: number | undefined;
}

const NOTHING = { struck: 0, evaluations: 0, lost: 0, doubled: 0, wrong: 0, other: 0, unavailable: 0, recoveryMs: undefined } as const;

/** Words with which a violation begins that is counted for itself. */
const COUNTED = ['lost', 'doubled', 'wrong'] as const;

/** Counts by pair of faults; an ending belongs to the pair that began last. */
export class FaultTotals {
  readonly #pairs = new Map<string, PairTotals>();
  readonly #now: () => number;
  #current: PairTotals | undefined;
  #healedAt: number | undefined;

  /** `now`: ms that never go back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Both kinds of a pair strike from now on. */
  begin(names: readonly string[]): void {
    const pair = names.toSorted((a, b) => a.localeCompare(b)).join(' + ');
    this.#current = this.#pairs.get(pair) ?? { pair, ...NOTHING };
    this.#pairs.set(pair, this.#current);
    this.#current.struck += 1;
    this.#healedAt = undefined;
  }

  /** Both are over. */
  healed(): void {
    this.#healedAt = this.#now();
  }

  /** No client begins anything any more: what ends whole later says nothing about recovery. */
  over(): void {
    this.#healedAt = undefined;
  }

  /** An evaluation ended. */
  add({ end, code }: Pick<Ending, 'end' | 'code'>): void {
    const totals = this.#current;
    if (totals === undefined) return;
    totals.evaluations += 1;
    if (code === 503) totals.unavailable += 1;
    if (end !== 'whole' || this.#healedAt === undefined) return;
    totals.recoveryMs = Math.max(totals.recoveryMs ?? 0, Math.round(this.#now() - this.#healedAt));
    this.#healedAt = undefined;
  }

  /** An invariant was found broken; the first word says which. */
  complain(violation: string): void {
    if (this.#current === undefined) return;
    const kind = COUNTED.find((word) => violation.startsWith(word)) ?? 'other';
    this.#current[kind] += 1;
  }

  /** By name. */
  get pairs(): readonly PairTotals[] {
    return [...this.#pairs.values()].toSorted((a, b) => a.pair.localeCompare(b.pair));
  }
}
