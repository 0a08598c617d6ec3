import type { CancellationToken } from '#go';
import type { LoneRule } from '#crd';
import { ValuePlan } from '../values/choice.ts';
import type { WritingParts } from '../values/write-value.ts';
import { climb } from './climb.ts';
import type { Climbed, Move } from './climb.ts';
import { dimensionsOf, withSize } from './dimensions.ts';
import type { Dimension } from './dimensions.ts';
import { optionsOf } from './field-options.ts';
import { namedFields, sharedContents, withContents } from './named-fields.ts';
import { oldValuesOf, RuleProbe } from './rule-probe.ts';
import type { Candidate } from './rule-probe.ts';
import { wordsOf } from './rule-words.ts';
import type { SharedContents } from './named-fields.ts';

/**
 * Cost limit, in cost units, of an evaluation in the search. The limit is higher than the server's limit, so that growth beyond the
 * server's limit is visible.
 */
const SEARCH_LIMIT = 5_000_000;
/** Small sizes, by unit, of the value with which a search begins. */
const SMALL = { items: 3, properties: 3, 'code points': 12, 'code points of keys': 1 } as const;
/**
 * Sizes, by unit, at which the contents of list elements are compared. Texts are long enough for their comparison to cost more than the
 * comparison of numbers.
 */
const TELLING = { items: 4, properties: 4, 'code points': 64, 'code points of keys': 1 } as const;
/** Number of contents of list elements from which the search begins: those with the highest costs. */
const CONTENTS = 2;

/**
 * Input of the search for the most expensive value of a rule: the starting value, the possible changes (moves), and the sizes that can
 * grow.
 */
export interface SearchSpace {
  readonly probe: RuleProbe;
  /** A small value from which a search begins. */
  readonly begin: Candidate;
  readonly moves: readonly Move[];
  /** Sizes that may raise the cost of the rule when they grow. */
  readonly dimensions: readonly Dimension[];
  /** Contents of list elements that decide how far a comparison of two elements gets. */
  readonly contents: readonly SharedContents[];
}

/**
 * Returns the input of the search for the most expensive value of a rule. It covers the fields that the rule mentions, the possible
 * contents of each field, and the sizes that can grow.
 */
export function searchSpace(rule: LoneRule, parts: WritingParts): SearchSpace {
  const probe = new RuleProbe(rule, parts);
  const words = wordsOf(rule.rule.source.rule);
  const fields = namedFields(rule.schema, probe.field, words.names, parts.schemas);
  const dimensions = fields.flatMap((field) => dimensionsOf(field, parts.texts));
  const oldMove: Move = { field: 'old', oldValues: oldValuesOf(rule) };
  const moves = [...fields.map((field): Move => ({ field: field.field, options: optionsOf(field, words) })), oldMove];
  let plan = new ValuePlan(fields.map(({ field }) => [field, { present: true }]));
  for (const { field, unit, least, most } of dimensions)
    if (unit !== 'code points of keys') plan = plan.with(field, { size: Math.min(most, Math.max(least, SMALL[unit])) });
  const useful = moves.filter((move) => ('oldValues' in move ? move.oldValues : move.options).length > 1);
  const begin = { plan, old: rule.rule.usesOldSelf ? 'same' : 'none' } as const;
  return { probe, begin, moves: useful, dimensions, contents: sharedContents(fields) };
}

/**
 * Searches for the value that makes a rule most expensive, among values for the rule's schema node with small lists, maps and strings. A
 * later search makes these values larger.
 */
export function searchSmall(space: SearchSpace, token: CancellationToken | undefined, random: () => number): Climbed {
  const { probe, begin, moves } = space;
  return climb(probe, [begin, ...expensiveContents(space, token)], moves, { costLimit: SEARCH_LIMIT, token }, random);
}

/**
 * Returns the beginning of a search with the contents of list elements for which the rule holds and costs most. Returns an empty list if
 * the contents make no difference.
 */
function expensiveContents(
  { probe, begin, dimensions, contents }: SearchSpace,
  token: CancellationToken | undefined,
): readonly Candidate[] {
  let { plan } = begin;
  for (const dimension of dimensions) {
    const { unit, least, most } = dimension;
    if (unit !== 'code points of keys') plan = withSize(plan, dimension, Math.min(most, Math.max(least, TELLING[unit])));
  }
  const tried = contents.flatMap((one) => {
    const trial = probe.try({ ...begin, plan: withContents(plan, one) }, { costLimit: SEARCH_LIMIT, token });
    // The sizes in `plan` show which contents cost more. The search itself begins with the small sizes of `begin.plan`, because other rules
    // may refuse long texts.
    return trial.kind === 'evaluated' ? [{ candidate: { ...begin, plan: withContents(begin.plan, one) }, trial }] : [];
  });
  const costs = new Set(tried.map(({ trial }) => trial.cost));
  if (costs.size < 2) return [];
  return tried
    .toSorted((a, b) => Number(b.trial.outcome === 'true') - Number(a.trial.outcome === 'true') || b.trial.cost - a.trial.cost)
    .slice(0, CONTENTS)
    .map(({ candidate }) => candidate);
}
