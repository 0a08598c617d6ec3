import type { LoneRule } from '#crd';
import type { CancellationToken } from '#go';
import { movedBy } from '../search/climb.ts';
import type { Move } from '../search/climb.ts';
import { withSize, sizeIn } from '../search/dimensions.ts';
import type { Dimension } from '../search/dimensions.ts';
import { optionsOf } from '../search/field-options.ts';
import { namedFields } from '../search/named-fields.ts';
import type { NamedField } from '../search/named-fields.ts';
import { oldValuesOf } from '../search/rule-probe.ts';
import type { Candidate } from '../search/rule-probe.ts';
import { joinedWords, wordsOf } from '../search/rule-words.ts';
import type { RuleWords } from '../search/rule-words.ts';
import { nodePathText } from '../values/choice.ts';
import { NAME_FIELD } from '../values/plan-of-object.ts';
import type { WritingParts } from '../values/write-value.ts';
import { Ascent } from './ascent.ts';
import type { JudgedObject } from './ascent.ts';
import type { WholeTrial, Obstacle, WholeObject } from './whole-object.ts';

/** Maximum number of times that the search halves all sizes of a rejected object. */
const HALVINGS = 12;
/** Maximum number of attempts in which a rejected object is repaired. Each further attempt uses half of the previous sizes. */
const REPAIRED = 3;

/** Returns true if the object can be reported as the most expensive object: it is accepted, or a cost limit ends its validation. */
export const isReportable = (trial: WholeTrial): boolean => trial.kind === 'judged' && (trial.isAccepted || trial.limit !== undefined);

/**
 * Enlarges the fields of an accepted test object to the sizes that make it more expensive. If other rules reject the enlarged object, the
 * function tries to repair it at the enlarged sizes. If that fails, it halves all sizes until the object is accepted or a cost limit ends
 * the validation. Returns the most expensive object found.
 *
 * @param dearer Plan of a more expensive object, with the desired size of each field in `dimensions`.
 */
export function growObject(
  parts: RepairParts,
  { accepted, dearer, dimensions }: { readonly accepted: Candidate; readonly dearer: Candidate; readonly dimensions: readonly Dimension[] },
  token: CancellationToken | undefined,
  random: () => number,
): JudgedObject {
  const withSizes = (part: number): Candidate => {
    let { plan } = accepted;
    for (const dimension of dimensions) {
      const [small, large] = [sizeIn(accepted.plan, dimension), sizeIn(dearer.plan, dimension)];
      if (large > small) plan = withSize(plan, dimension, Math.max(small, Math.floor(large * part)));
    }
    return { ...accepted, plan };
  };
  let best: JudgedObject = { candidate: accepted, trial: parts.whole.judge(accepted, undefined) };
  const take = (one: JudgedObject): boolean => {
    if (isReportable(one.trial) && costOf(one.trial) > costOf(best.trial)) best = one;
    return isReportable(one.trial);
  };
  for (let i = 0; i < HALVINGS; i++) {
    const candidate = withSizes(0.5 ** i);
    const trial = parts.whole.judge(candidate, token);
    if (trial.kind === 'stopped' || take({ candidate, trial })) break;
    // A repair may shrink the value again, so it does not end the loop. Its result is only one more candidate.
    if (trial.kind === 'judged' && i < REPAIRED) take(repair(parts, candidate, { part: KEPT_COST_SHARE, token, random }));
  }
  return best;
}

const costOf = (trial: WholeTrial): number => (trial.kind === 'judged' ? trial.cost : -1);

/**
 * Maximum number of repair rounds. `PAIRS` is the maximum number of pairs of moves that a round tries if no single move helps.
 * `PAIRS_AT_COST` is this maximum if the object must keep a share of its cost.
 */
const ROUNDS = 16;
const PAIRS = 400;
const PAIRS_AT_COST = 120;
/**
 * Share of its cost that an enlarged test object must keep while the search repairs it. The cost is the cost of the studied rule. A repair
 * changes the object until the definition accepts it.
 */
export const KEPT_COST_SHARE = 0.6;
/** Maximum number of rounds in which an accepted object is made more expensive. */
const POLISHING = 3;

/** Options of {@link repair}, which changes an object until the whole definition accepts it. */
export interface RepairRules {
  /** Share of the studied rule's cost that the object must keep when it is changed. */
  readonly part: number;
  readonly token: CancellationToken | undefined;
  /** Returns random numbers from 0 up to 1, excluding 1. */
  readonly random: () => number;
}

/**
 * Changes an object until the whole definition accepts it, and returns the best object that was found. Each round changes fields that
 * failing rules name: first one field at a time, then two fields at a time. A change is discarded if it prevents the evaluation of the
 * studied rule.
 */
export function repair(parts: RepairParts, from: Candidate, { part, token, random }: RepairRules): JudgedObject {
  const ascent = new Ascent(parts.whole, from, token, part);
  for (let round = 0; round < ROUNDS; round++) {
    const { trial } = ascent.best;
    if (trial.kind !== 'judged' || trial.isAccepted || token?.cancelled === true) break;
    const moves = movesAgainst(parts, trial.obstacles);
    if (!ascent.anyHelps(moves) && !pairsHelp(moves, ascent, part > 0 ? PAIRS_AT_COST : PAIRS, random) && !ascent.goesAside(moves)) break;
  }
  return ascent.best;
}

/**
 * Makes an accepted object more expensive for the studied rule. Changes the fields that the rule names, one after the other. Each change
 * must raise the cost, and the definition must still accept the object.
 */
export function polish(parts: RepairParts, accepted: Candidate, token: CancellationToken | undefined): JudgedObject {
  const ascent = new Ascent(parts.whole, accepted, token);
  const { rule } = parts.studied.rule.source;
  const moves = movesAgainst(parts, [{ rule, at: '', text: '' }]);
  for (let round = 0; round < POLISHING && ascent.allHelp(moves); round++);
  return ascent.best;
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

/** Inputs for the repair of a rejected object. A repair changes the object until all rules accept it. */
export interface RepairParts {
  readonly whole: WholeObject;
  /** All rules in that version of the definition that contains the studied rule. */
  readonly rules: readonly LoneRule[];
  /** The studied rule. After each repair, the rule must still be evaluated. */
  readonly studied: LoneRule;
  readonly writing: WritingParts;
}

/**
 * Returns moves for the repair of a rejected object. A move changes a field or the old value. The moves change fields that the rules in
 * `obstacles` (the reasons for the rejection) mention.
 */
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
      const field = nodePathText(rule.steps);
      add(namedFields(rule.schema, field, words.names, parts.writing.schemas), words);
      const names = words.texts.map((value) => ({ filling: { kind: 'literal', value } as const }));
      if (field === '' && words.names.has('metadata')) moves.set(NAME_FIELD, { field: NAME_FIELD, options: names });
    }
  }
  // One list may have to satisfy several rules, so its elements alternate between the words of all these rules.
  const failing = parts.rules.filter((one) => obstacles.some(({ rule }) => rule === one.rule.source.rule));
  if (failing.length > 1) {
    const words = joinedWords(failing.map(({ rule }) => wordsOf(rule.source.rule)));
    for (const { schema, steps } of failing) add(namedFields(schema, nodePathText(steps), words.names, parts.writing.schemas), words);
  }
  for (const { rule, at } of obstacles) if (rule === undefined) add(fieldsAlong(parts, at), NO_WORDS);
  const oldValues = oldValuesOf(parts.studied);
  return [...moves.values(), ...(oldValues.length > 0 ? [{ field: 'old', oldValues } as const] : [])];
}

const NO_WORDS: RuleWords = { names: new Set(), texts: [], numbers: [], patterns: [] };

/** Returns the field at which a write was rejected, and all fields above this field. */
function fieldsAlong({ studied, writing }: RepairParts, at: string): readonly NamedField[] {
  const names = new Set(at.split(/[.[\]]/).filter((name) => name !== ''));
  return namedFields(studied.version.schema, '', names, writing.schemas).slice(1);
}
