import type { Ending } from './clients.ts';

/**
 * Totals for one pair of faults. They count the evaluations that ended between the beginning of this pair and the beginning of the next
 * pair.
 */
export interface PairTotals {
  /** Names of the two fault kinds, in alphabetical order. */
  readonly pair: string;
  /** Number of times that the pair of faults was started. */
  struck: number;
  evaluations: number;
  lost: number;
  doubled: number;
  wrong: number;
  /** Number of violations whose kind is not `lost`, `doubled` or `wrong`. */
  other: number;
  /** Number of refusals with code 503. */
  unavailable: number;
  /**
   * Time in ms from the end of both faults until the next evaluation was completed; the longest one if the pair was started several times.
   * Undefined if no evaluation was completed before the next pair began.
   */
  recoveryMs: number | undefined;
}

const NOTHING = { struck: 0, evaluations: 0, lost: 0, doubled: 0, wrong: 0, other: 0, unavailable: 0, recoveryMs: undefined } as const;

/** First words of the violations that are counted separately by kind. */
const COUNTED = ['lost', 'doubled', 'wrong'] as const;

/** Totals by pair of faults. An ending counts for the pair that began most recently. */
export class FaultTotals {
  readonly #pairs = new Map<string, PairTotals>();
  readonly #now: () => number;
  #current: PairTotals | undefined;
  #healedAt: number | undefined;

  /** `now` returns a monotonic time in ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Records that a pair of faults begins. */
  begin(names: readonly string[]): void {
    const pair = names.toSorted((a, b) => a.localeCompare(b)).join(' + ');
    this.#current = this.#pairs.get(pair) ?? { pair, ...NOTHING };
    this.#pairs.set(pair, this.#current);
    this.#current.struck += 1;
    this.#healedAt = undefined;
  }

  /** Records that both faults of the current pair have ended. */
  healed(): void {
    this.#healedAt = this.#now();
  }

  /** Records that clients begin no more evaluations. Endings after this call are not used to measure recovery. */
  over(): void {
    this.#healedAt = undefined;
  }

  /** Counts an evaluation that ended. */
  add({ end, code }: Pick<Ending, 'end' | 'code'>): void {
    const totals = this.#current;
    if (totals === undefined) return;
    totals.evaluations += 1;
    if (code === 503) totals.unavailable += 1;
    if (end !== 'whole' || this.#healedAt === undefined) return;
    totals.recoveryMs = Math.max(totals.recoveryMs ?? 0, Math.round(this.#now() - this.#healedAt));
    this.#healedAt = undefined;
  }

  /** Counts a violation of an invariant. The first word of `violation` determines the kind. */
  complain(violation: string): void {
    if (this.#current === undefined) return;
    const kind = COUNTED.find((word) => violation.startsWith(word)) ?? 'other';
    this.#current[kind] += 1;
  }

  /** Totals of all pairs, sorted by name. */
  get pairs(): readonly PairTotals[] {
    return [...this.#pairs.values()].toSorted((a, b) => a.pair.localeCompare(b.pair));
  }
}
