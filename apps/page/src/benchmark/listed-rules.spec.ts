import { describe, expect, it } from 'vitest';
import { InProcessEngine } from '#runner/in-process';
import { explain } from '#service';
import { optionsFor } from '../judge/evaluate-texts.ts';
import { documentsIn } from '../judge/read-texts.ts';
import { definitionOf } from '../learn/tasks.ts';
import { NO_TEXTS } from '../state/texts.ts';
import { chosenRule, listRules } from './listed-rules.ts';

const LONG = `self.a.all(x,\n  self.a.all(y, x <= y + ${'1 + '.repeat(40)}1))`;

async function rulesOf(schema: string) {
  const { definitions } = documentsIn({ ...NO_TEXTS, definitions: definitionOf(schema) });
  const request = {
    definitions: definitions.map(({ slice }) => slice),
    objects: [],
    policies: [],
    cluster: [],
    options: optionsFor('1.37'),
  };
  return listRules(await explain(new InProcessEngine(), request));
}

describe('the list of the rules of all definitions', () => {
  it('has the position of each rule, the most expensive rule first, and rules that do not compile last', async () => {
    const rules = await rulesOf(`type: object
properties:
  a: {type: array, maxItems: 9, items: {type: integer}}
x-kubernetes-validations:
- rule: self.nothing > 1
- rule: self.a.all(x, x < 5)
- rule: ${JSON.stringify(LONG)}`);
    const path = (i: number): string => `properties[spec].x-kubernetes-validations[${i}]`;
    expect(rules.map(({ path: one, version }) => [version, one])).toEqual([2, 1, 0].map((i) => ['v1', path(i)]));
    expect(rules.map(({ estimate }) => Number(estimate) > 0)).toEqual([true, true, false]);
    expect(rules[0]?.words).toMatch(/^self\.a\.all\(x, self\.a\.all\(y, x <= y \+ 1.*…$/);
    expect(rules[0]?.words).toHaveLength(90);
    expect(rules[1]?.words).toBe('self.a.all(x, x < 5)');
    expect(chosenRule(rules, undefined)).toBe(rules[0]);
    expect(chosenRule(rules, { definition: rules[0]?.definition ?? '', version: 'v1', path: path(1) })).toBe(rules[1]);
    expect(chosenRule(rules, { definition: 'others.example.com', version: 'v1', path: path(1) })).toBe(rules[0]);
  });

  it('is empty if there are no rules', async () => {
    const rules = await rulesOf('type: object');
    expect([rules, chosenRule(rules, undefined)]).toEqual([[], undefined]);
  });
});
