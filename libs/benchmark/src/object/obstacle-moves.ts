import type { LoneRule } from '#crd';
import type { Move } from '../search/climb.ts';
import { optionsOf } from '../search/field-options.ts';
import { namedFields } from '../search/named-fields.ts';
import type { NamedField } from '../search/named-fields.ts';
import { oldValuesOf } from '../search/old-value.ts';
import { joinedWords, wordsOf } from '../search/rule-words.ts';
import type { RuleWords } from '../search/rule-words.ts';
import { nodePathText } from '../values/field-of.ts';
import { NAME_FIELD } from '../values/identity.ts';
import type { WritingParts } from '../values/write-value.ts';
import type { Obstacle, WholeObject } from './whole-object.ts';

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
export function movesAgainst(parts: RepairParts, obstacles: readonly Obstacle[]): readonly Move[] {
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
