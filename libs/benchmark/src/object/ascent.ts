import type { CancellationToken } from '#go';
import { movedBy } from '../search/climb.ts';
import type { Move } from '../search/climb.ts';
import type { Candidate } from '../search/rule-probe.ts';
import type { ObjectTrial, WholeObject, WholeTrial } from './whole-object.ts';

/** Candidate in the search for an object with a high rule cost, together with the result of validating the whole object. */
export interface JudgedObject {
  readonly candidate: Candidate;
  readonly trial: WholeTrial;
}

/**
 * Search for an object with a high rule cost. It tries candidates, which are descriptions of objects, and validates the whole object of
 * each candidate. It keeps the best candidate so far.
 */
export class Ascent {
  best: JudgedObject;
  readonly #whole: WholeObject;
  readonly #token: CancellationToken | undefined;
  readonly #minCost: number;
  /** Sets of obstacles (reasons for the rejection of an object) that occurred in earlier trials. Each set is stored as one text. */
  readonly #seen = new Set<string>();

  /** @param part Minimum cost of an accepted candidate, as a share of the cost of `from`. */
  constructor(whole: WholeObject, from: Candidate, token: CancellationToken | undefined, part = 0) {
    this.#whole = whole;
    this.#token = token;
    this.best = { candidate: from, trial: whole.judge(from, token) };
    this.#minCost = this.best.trial.kind === 'judged' ? part * this.best.trial.cost : 0;
  }

  /**
   * Makes `candidate` the best candidate if its object is closer to acceptance than the current best one, or equally close with a higher
   * cost. It must also reach the minimum cost. Returns true if it did so.
   */
  take(candidate: Candidate): boolean {
    const trial = this.#whole.judge(candidate, this.#token);
    if (!isNearer(trial, this.best.trial) || (trial.kind === 'judged' && trial.cost < this.#minCost)) return false;
    this.best = { candidate, trial };
    return true;
  }

  /**
   * Applies the first single move (change of a field or of the old value) that improves the best candidate. Returns true if there was such
   * a move.
   */
  anyHelps(moves: readonly Move[]): boolean {
    return moves.some((move) => movedBy(this.best.candidate, move).some((candidate) => this.take(candidate)));
  }

  /**
   * Applies a move (change of a field or of the old value) after which only rules reject the object. It must have at most as many obstacles
   * (reasons for the rejection) as before. The set of obstacles must not have occurred yet. Returns true if there was such a move.
   */
  goesAside(moves: readonly Move[]): boolean {
    const from = this.best;
    if (from.trial.kind !== 'judged') return false;
    this.#seen.add(obstacleNames(from.trial));
    for (const move of moves)
      for (const candidate of movedBy(from.candidate, move)) {
        const trial = this.#whole.judge(candidate, this.#token);
        if (trial.kind !== 'judged' || trial.cost < this.#minCost || trial.evaluations === 0) continue;
        const isAside = trial.obstacles.every(({ rule }) => rule !== undefined) && trial.obstacles.length <= from.trial.obstacles.length;
        if (!isAside || this.#seen.has(obstacleNames(trial))) continue;
        this.best = { candidate, trial };
        return true;
      }
    return false;
  }

  /**
   * Applies all single moves (changes of a field or of the old value) that improve the best candidate, one after another. Returns true if
   * there was such a move.
   */
  allHelp(moves: readonly Move[]): boolean {
    let isHelped = false;
    for (const move of moves) for (const candidate of movedBy(this.best.candidate, move)) isHelped = this.take(candidate) || isHelped;
    return isHelped;
  }
}

/**
 * Returns true if trial `a` is better than trial `b`. An object that is closer to acceptance, or equally close with a more expensive rule,
 * is better.
 */
function isNearer(a: WholeTrial, b: WholeTrial): boolean {
  if (a.kind !== 'judged') return false;
  if (b.kind !== 'judged') return true;
  return compareRanks(rankOf(a), rankOf(b)) > 0;
}

/**
 * Returns ranks by which trials are compared, the most important rank first. They are: no schema keyword rejects the object, the rule is
 * evaluated, the object is accepted. If these ranks are equal, fewer obstacles and a higher cost are better.
 */
const rankOf = ({ evaluations, isAccepted, obstacles, cost }: ObjectTrial): readonly number[] => [
  !isAccepted && obstacles.some(({ rule }) => rule === undefined) ? 0 : 1,
  evaluations > 0 ? 1 : 0,
  isAccepted ? 1 : 0,
  // A server may accept an update although unchanged parts violate rules. So the obstacles of an accepted object do not count.
  isAccepted ? 0 : -new Set(obstacles.map(({ rule, at }) => rule ?? at)).size,
  isAccepted ? 0 : -obstacles.length,
  cost,
];

const obstacleNames = ({ obstacles }: ObjectTrial): string =>
  [...new Set(obstacles.map(({ rule, at }) => rule ?? at))].toSorted().join('\n');

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [i, value] of a.entries()) if (value !== b[i]) return value - (b[i] ?? 0);
  return 0;
}
