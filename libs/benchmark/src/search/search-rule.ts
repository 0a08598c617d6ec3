import type { CancellationToken } from '#go';
import type { LoneRule } from '#crd';
import { ValuePlan } from '../values/choice.ts';
import type { WritingParts } from '../values/write-value.ts';
import { climb } from './climb.ts';
import type { Climbed, Move } from './climb.ts';
import { dimensionsOf } from './dimensions.ts';
import type { Dimension } from './dimensions.ts';
import { optionsOf } from './field-options.ts';
import { namedFields } from './named-fields.ts';
import { oldValuesOf, RuleProbe } from './rule-probe.ts';
import type { Candidate } from './rule-probe.ts';
import { wordsOf } from './rule-words.ts';

/**
 * Cost limit, in cost units, of an evaluation in the search. The limit is higher than the server's limit, so that growth beyond the
 * server's limit is visible.
 */
const SEARCH_LIMIT = 5_000_000;
/** Small sizes, by unit, of the value with which a search begins. */
const SMALL = { items: 3, properties: 3, 'code points': 12, 'code points of keys': 1 } as const;

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
  return { probe, begin: { plan, old: rule.rule.usesOldSelf ? 'same' : 'none' }, moves: useful, dimensions };
}

/**
 * Searches for the value that makes a rule most expensive, among values for the rule's schema node with small lists, maps and strings. A
 * later search makes these values larger.
 */
export function searchSmall({ probe, begin, moves }: SearchSpace, token: CancellationToken | undefined, random: () => number): Climbed {
  return climb(probe, begin, moves, { costLimit: SEARCH_LIMIT, token }, random);
}
