import type { CancellationToken } from '#go';
import type { LoneRule } from '#crd';
import type { Move } from '../search/climb.ts';
import { movedBy } from '../search/climb.ts';
import { optionsOf } from '../search/field-options.ts';
import { namedFields } from '../search/named-fields.ts';
import type { NamedField } from '../search/named-fields.ts';
import type { Candidate } from '../search/rule-probe.ts';
import { joinedWords, wordsOf } from '../search/rule-words.ts';
import type { RuleWords } from '../search/rule-words.ts';
import { fieldOf } from '../values/field-of.ts';
import { NAME_FIELD } from '../values/identity.ts';
import type { WritingParts } from '../values/write-value.ts';
import type { ObjectTrial, Obstacle, WholeObject, WholeTrial } from './whole-object.ts';

/** A whole object as near to acceptance as the repair came. */
export interface Repaired {
  readonly candidate: Candidate;
  readonly trial: WholeTrial;
}

/** Rounds of repair; pairs of moves that are tried in a round if no single one helps. */
const ROUNDS = 16;
const PAIRS = 400;
const DEAR_PAIRS = 120;
/** A repair that keeps this part of the rule's cost comes before all others. */
const KEPT = 0.6;
/** Rounds in which an accepted object is made dearer. */
const POLISHING = 3;

/** Parts that a repair needs. */
export interface RepairParts {
  readonly whole: WholeObject;
  /** All rules of the version. */
  readonly rules: readonly LoneRule[];
  /** The studied rule, which must stay evaluated. */
  readonly studied: LoneRule;
  readonly writing: WritingParts;
}

/**
 * Changes an object until the whole definition accepts it. In each round it writes fields that failing rules name in other ways: first one, then two at a time. A change that keeps the studied rule from being evaluated does not count.
 */
export function repair(parts: RepairParts, from: Candidate, token: CancellationToken | undefined, random: () => number): Repaired {
  const dear = repairAbove(parts, from, { part: KEPT, token, random });
  return dear.trial.kind === 'judged' && dear.trial.isAccepted ? dear : repairAbove(parts, from, { part: 0, token, random });
}

/** Repairs an object by changes that keep so much of the rule's cost. */
function repairAbove(
  parts: RepairParts,
  from: Candidate,
  { part, token, random }: { readonly part: number; readonly token: CancellationToken | undefined; readonly random: () => number },
): Repaired {
  const ascent = new Ascent(parts, from, token, part);
  for (let round = 0; round < ROUNDS; round++) {
    const { trial } = ascent.best;
    if (trial.kind !== 'judged' || trial.isAccepted || token?.cancelled === true) break;
    const moves = movesAgainst(parts, trial.obstacles);
    if (!ascent.anyHelps(moves) && !pairsHelp(moves, ascent, part > 0 ? DEAR_PAIRS : PAIRS, random) && !ascent.goesAside(moves)) break;
  }
  return ascent.best;
}

/** Changes an accepted object, one field that the studied rule names after the other, as long as it costs more and is accepted still. */
export function polish(parts: RepairParts, accepted: Candidate, token: CancellationToken | undefined): Repaired {
  const ascent = new Ascent(parts, accepted, token);
  const { rule } = parts.studied.rule.source;
  const moves = movesAgainst(parts, [{ rule, at: '', text: '' }]);
  for (let round = 0; round < POLISHING && ascent.allHelp(moves); round++);
  return ascent.best;
}

/** Goes from one candidate to a better one, as whole objects are judged. */
class Ascent {
  best: Repaired;
  readonly #whole: WholeObject;
  readonly #token: CancellationToken | undefined;
  readonly #leastCost: number;
  /** Earlier obstacles, as texts. */
  readonly #seen = new Set<string>();

  /** @param part the least cost of what is taken, as a part of the cost at the beginning */
  constructor({ whole }: RepairParts, from: Candidate, token: CancellationToken | undefined, part = 0) {
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

function pairsHelp(moves: readonly Move[], ascent: Ascent, pairs: number, random: () => number): boolean {
  const any = (candidate: Candidate): Candidate => {
    const move = moves[Math.floor(random() * moves.length)];
    const all = move === undefined ? [] : movedBy(candidate, move);
    return all[Math.floor(random() * all.length)] ?? candidate;
  };
  for (let i = 0; i < pairs && moves.length > 1; i++) {
    const two = any(any(ascent.best.candidate));
    if (ascent.take(i % 2 === 0 ? two : any(two))) return true;
  }
  return false;
}

/** Returns true if an object is nearer to acceptance than another in which the rule is studied. */
function isNearer(a: WholeTrial, b: WholeTrial): boolean {
  if (a.kind !== 'judged') return false;
  if (b.kind !== 'judged') return true;
  return compareRanks(rankOf(a), rankOf(b)) > 0;
}

/** Ranks, in this order: the rule is evaluated, the object is accepted, few obstacles remain, the rule costs much. */
const rankOf = ({ evaluations, isAccepted, obstacles, cost }: ObjectTrial): readonly number[] => [
  obstacles.some(({ rule }) => rule === undefined) ? 0 : 1,
  evaluations > 0 ? 1 : 0,
  isAccepted ? 1 : 0,
  -new Set(obstacles.map(({ rule, at }) => rule ?? at)).size,
  -obstacles.length,
  cost,
];

const obstacleNames = ({ obstacles }: ObjectTrial): string =>
  [...new Set(obstacles.map(({ rule, at }) => rule ?? at))].toSorted().join('\n');

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [i, value] of a.entries()) if (value !== b[i]) return value - (b[i] ?? 0);
  return 0;
}

/** Returns ways to write the fields that obstacles name. */
function movesAgainst(parts: RepairParts, obstacles: readonly Obstacle[]): readonly Move[] {
  const moves = new Map<string, Move>();
  const add = (fields: readonly NamedField[], words: RuleWords): void => {
    for (const field of fields) {
      const options = optionsOf(field, words);
      if (options.length > 0) moves.set(`${field.field} ${words.texts.join()}`, { field: field.field, options });
    }
  };
  for (const obstacle of obstacles.slice(0, 8)) {
    if (obstacle.rule === undefined) continue;
    for (const rule of parts.rules.filter((one) => one.rule.source.rule === obstacle.rule)) {
      const words = wordsOf(obstacle.rule);
      const field = fieldOf(rule.steps);
      add(namedFields(rule.schema, field, words.names, parts.writing.schemas), words);
      const names = words.texts.map((value) => ({ filling: { kind: 'literal', value } as const }));
      if (field === '' && words.names.has('metadata')) moves.set(NAME_FIELD, { field: NAME_FIELD, options: names });
    }
  }
  // One list may have to satisfy several rules: its elements take the words of all in turn.
  const failing = parts.rules.filter((one) => obstacles.some(({ rule }) => rule === one.rule.source.rule));
  if (failing.length > 1) {
    const words = joinedWords(failing.map(({ rule }) => wordsOf(rule.source.rule)));
    for (const { schema, steps } of failing) add(namedFields(schema, fieldOf(steps), words.names, parts.writing.schemas), words);
  }
  for (const { rule, at } of obstacles) if (rule === undefined) add(fieldsAlong(parts, at), NO_WORDS);
  return [...moves.values(), ...oldMoves(parts.studied)];
}

const NO_WORDS: RuleWords = { names: new Set(), texts: [], numbers: [], patterns: [] };

/** Returns the refused field and the fields above it. */
function fieldsAlong({ studied, writing }: RepairParts, at: string): readonly NamedField[] {
  const names = new Set(at.split(/[.[\]]/).filter((name) => name !== ''));
  return namedFields(studied.version.schema, '', names, writing.schemas).slice(1);
}

function oldMoves({ rule }: LoneRule): readonly Move[] {
  return rule.usesOldSelf ? [{ field: 'old', oldValues: ['same', 'other', 'smaller'] }] : [];
}
