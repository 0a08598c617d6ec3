import type { CancellationToken } from '#go';
import { movedBy } from '../search/climb.ts';
import type { Move } from '../search/climb.ts';
import type { Candidate } from '../search/rule-probe.ts';
import type { ObjectTrial, WholeObject, WholeTrial } from './whole-object.ts';

/** A judged object. */
export interface JudgedObject {
  readonly candidate: Candidate;
  readonly trial: WholeTrial;
}

/** Goes from one candidate to a better one, as whole objects are judged. */
export class Ascent {
  best: JudgedObject;
  readonly #whole: WholeObject;
  readonly #token: CancellationToken | undefined;
  readonly #leastCost: number;
  /** Earlier obstacles, as texts. */
  readonly #seen = new Set<string>();

  /** @param part the least cost of what is taken, as a part of the cost at the beginning */
  constructor(whole: WholeObject, from: Candidate, token: CancellationToken | undefined, part = 0) {
    this.#whole = whole;
    this.#token = token;
    this.best = { candidate: from, trial: whole.judge(from, token) };
    this.#leastCost = this.best.trial.kind === 'judged' ? part * this.best.trial.cost : 0;
  }

  /** Takes a candidate if it is better. Returns true if it was. */
  take(candidate: Candidate): boolean {
    const trial = this.#whole.judge(candidate, this.#token);
    if (!isNearer(trial, this.best.trial) || (trial.kind === 'judged' && trial.cost < this.#leastCost)) return false;
    this.best = { candidate, trial };
    return true;
  }

  /** Takes the first single move that helps. */
  anyHelps(moves: readonly Move[]): boolean {
    return moves.some((move) => movedBy(this.best.candidate, move).some((candidate) => this.take(candidate)));
  }

  /** Takes a move that leads to as many obstacles, but to others than ever before. Returns true if there was one. */
  goesAside(moves: readonly Move[]): boolean {
    const from = this.best;
    if (from.trial.kind !== 'judged') return false;
    this.#seen.add(obstacleNames(from.trial));
    for (const move of moves)
      for (const candidate of movedBy(from.candidate, move)) {
        const trial = this.#whole.judge(candidate, this.#token);
        if (trial.kind !== 'judged' || trial.cost < this.#leastCost || trial.evaluations === 0) continue;
        const isAside = trial.obstacles.every(({ rule }) => rule !== undefined) && trial.obstacles.length <= from.trial.obstacles.length;
        if (!isAside || this.#seen.has(obstacleNames(trial))) continue;
        this.best = { candidate, trial };
        return true;
      }
    return false;
  }

  /** Takes all single moves that help, one after the other. Returns true if one did. */
  allHelp(moves: readonly Move[]): boolean {
    let isHelped = false;
    for (const move of moves) for (const candidate of movedBy(this.best.candidate, move)) isHelped = this.take(candidate) || isHelped;
    return isHelped;
  }
}

/** Returns true if an object is nearer to acceptance than another in which the rule is studied. */
function isNearer(a: WholeTrial, b: WholeTrial): boolean {
  if (a.kind !== 'judged') return false;
  if (b.kind !== 'judged') return true;
  return compareRanks(rankOf(a), rankOf(b)) > 0;
}

/** Ranks, in this order: the rule is evaluated, the object is accepted, few obstacles remain, the rule costs much. */
const rankOf = ({ evaluations, isAccepted, obstacles, cost }: ObjectTrial): readonly number[] => [
  !isAccepted && obstacles.some(({ rule }) => rule === undefined) ? 0 : 1,
  evaluations > 0 ? 1 : 0,
  isAccepted ? 1 : 0,
  // An update may be accepted although unchanged parts break rules.
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
