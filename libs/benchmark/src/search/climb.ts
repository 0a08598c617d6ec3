import type { FieldChoice } from '../values/choice.ts';
import type { OldValue, Candidate, RuleProbe, Trial, TrialLimits } from './rule-probe.ts';

/**
 * Change that the cost search can make to a candidate (a plan of a test value). The change sets one field to one of `options`, or sets the
 * kind of old value to one of `oldValues`.
 */
export type Move =
  | { readonly field: string; readonly options: readonly FieldChoice[] }
  | { readonly field: 'old'; readonly oldValues: readonly OldValue[] };

/** A candidate with the result of its evaluation. */
interface Found {
  readonly candidate: Candidate;
  readonly trial: Trial & { readonly kind: 'evaluated' };
}

/**
 * Results of the search for the value that makes a rule most expensive. The search starts from candidates (plans of a value) and changes
 * one property of a candidate at a time.
 */
export interface Climbed {
  /** Most expensive candidate that satisfies all schema keywords. Undefined if none was found. */
  readonly costliest: Found | undefined;
  /**
   * Candidates for which the rule holds, the most expensive first. They include the most expensive candidate of each shape (absent fields,
   * schema branches, kind of old value).
   */
  readonly holding: readonly Found[];
  /** Number of refused candidates (candidates for which the rule was not evaluated) by the reason for the refusal. */
  readonly reasons: ReadonlyMap<string, number>;
  readonly isStopped: boolean;
}

/** Maximum number of passes. Each pass tries all single changes of the best candidate so far. */
const PASSES = 4;
/** Maximum number of random candidates from which the search starts. It also starts once from each given candidate. */
const BEGINNINGS = 6;
/** Probability with which each change ({@link Move}) is applied to the given candidate to obtain a random candidate. */
const MOVED = 0.6;

/**
 * Searches for the value that makes the evaluation of a rule most expensive. The search starts once from each of `beginnings` (plans of
 * test values), and several times from random variations of the first beginning. From each start, it applies one change of `moves` at a
 * time. Among values of equal cost, it prefers a value for which the rule holds.
 *
 * @param random Returns random numbers from 0 up to 1, excluding 1.
 */
export function climb(
  probe: RuleProbe,
  beginnings: readonly [Candidate, ...Candidate[]],
  moves: readonly Move[],
  limits: TrialLimits,
  random: () => number,
): Climbed {
  const search = new Search(probe, moves, limits);
  for (const from of beginnings) if (!search.isStopped) search.climb(from);
  const [first] = beginnings;
  for (let i = 0; i < Math.min(BEGINNINGS, moves.length) && !search.isStopped; i++) search.climb(scattered(first, moves, random));
  return search;
}

/** Returns a copy of `from` to which randomly selected changes ({@link Move}) are applied, each with a random option. */
function scattered(from: Candidate, moves: readonly Move[], random: () => number): Candidate {
  let candidate = from;
  for (const move of moves) {
    if (random() > MOVED) continue;
    const all = movedBy(candidate, move);
    candidate = all[Math.floor(random() * all.length)] ?? candidate;
  }
  return candidate;
}

/**
 * Returns the candidates (plans of a test value) that result from applying a change, `move`, to `candidate`. There is one new candidate for
 * each option that the change offers for its field or for the kind of old value.
 */
export function movedBy(candidate: Candidate, move: Move): readonly Candidate[] {
  if ('oldValues' in move) return move.oldValues.map((old) => ({ ...candidate, old }));
  const known = candidate.plan.at(move.field)?.keys ?? [];
  return move.options.map((option) => ({ ...candidate, plan: candidate.plan.with(move.field, withKeys(option, known)) }));
}

/** Returns a copy of `option` to which the existing keys of the map are added. Returns `option` itself if it or the map has no keys. */
function withKeys(option: FieldChoice, known: readonly string[]): FieldChoice {
  if (option.keys === undefined || known.length === 0) return option;
  const keys = [...new Set([...known, ...option.keys])];
  return { ...option, keys, size: Math.max(option.size ?? 0, keys.length) };
}

/**
 * Number of shapes of candidates that remain when the search discards shapes, which it does beyond twice this number. For each shape, the
 * search keeps the most expensive candidate for which the rule holds.
 */
const MAX_SHAPES = 12;

/**
 * Returns a key for the shape of a candidate: its absent or empty fields, its schema branches and its kind of old value. Candidates of the
 * same shape differ only in sizes and contents.
 */
const shapeOf = ({ plan, old }: Candidate): string =>
  [
    ...plan.fields.filter((field) => plan.at(field)?.present === false || plan.at(field)?.size === 0),
    ...plan.fields.map((field) => plan.at(field)?.branch ?? ''),
    old,
  ].join(' ');

class Search implements Climbed {
  costliest: Found | undefined;
  readonly #byShape = new Map<string, Found>();
  readonly reasons = new Map<string, number>();
  isStopped = false;
  readonly #probe: RuleProbe;
  readonly #moves: readonly Move[];
  readonly #limits: TrialLimits;

  constructor(probe: RuleProbe, moves: readonly Move[], limits: TrialLimits) {
    this.#probe = probe;
    this.#moves = moves;
    this.#limits = limits;
  }

  climb(from: Candidate): void {
    let best = { candidate: from, score: this.#score(from) };
    for (let pass = 0; pass < PASSES && !this.isStopped; pass++) {
      const before = best.score;
      for (const move of this.#moves)
        for (const candidate of movedBy(best.candidate, move)) {
          if (this.isStopped) return;
          const score = this.#score(candidate);
          if (score > best.score) best = { candidate, score };
        }
      if (best.score === before) return;
    }
  }

  #score(candidate: Candidate): number {
    const trial = this.#probe.try(candidate, this.#limits);
    if (trial.kind === 'stopped') this.isStopped = true;
    if (trial.kind === 'refused') this.reasons.set(trial.reason, (this.reasons.get(trial.reason) ?? 0) + 1);
    if (trial.kind !== 'evaluated') return -1;
    const found: Found = { candidate, trial };
    const score = scoreOf(trial);
    if (this.costliest === undefined || score > scoreOf(this.costliest.trial)) this.costliest = found;
    if (trial.outcome === 'true') this.#keep(found);
    return score;
  }

  get holding(): readonly Found[] {
    return [...this.#byShape.values()].toSorted((a, b) => b.trial.cost - a.trial.cost);
  }

  #keep(found: Found): void {
    const shape = shapeOf(found.candidate);
    const known = this.#byShape.get(shape);
    if (known === undefined || found.trial.cost > known.trial.cost) this.#byShape.set(shape, found);
    if (this.#byShape.size <= 2 * MAX_SHAPES) return;
    for (const cheap of this.holding.slice(MAX_SHAPES)) this.#byShape.delete(shapeOf(cheap.candidate));
  }
}

/**
 * Bonus in cost units that a candidate receives for its outcome. Among candidates of equal cost, a candidate for which the rule holds is
 * preferred. A candidate that ends with an error comes last.
 */
const PREFERENCE = { true: 0.5, false: 0, error: -0.4, overLimit: 0 } as const;
const scoreOf = ({ cost, outcome }: Found['trial']): number => cost + PREFERENCE[outcome];
