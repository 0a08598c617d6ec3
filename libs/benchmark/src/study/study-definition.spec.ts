import { describe, expect, it } from 'vitest';
import { compileStoredDefinition } from '#crd';
import type { CompiledDefinition } from '#crd';
import { readJson } from '#go';
import { LATEST_MINOR } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { reportOf } from './rule-report.ts';
import type { RuleReport } from './rule-report.ts';
import { studyDefinition } from './study-definition.ts';

const LIST = { type: 'array', items: { type: 'integer' } };
const rules = (...texts: string[]) => ({ 'x-kubernetes-validations': texts.map((rule) => ({ rule })) });

function definitionOf(spec: object): CompiledDefinition {
  const reading = readJson(JSON.stringify(customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } })));
  if (!reading.ok) throw new Error(reading.error);
  const outcome = compileStoredDefinition(reading.value, { minor: LATEST_MINOR, engine: NODE_ENGINE });
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

/** The last report of each rule. */
function reports(definition: CompiledDefinition, budgetMs: number, now: () => number): RuleReport[] {
  const settings = { budgetMs, now, random: () => seededRandom(1) };
  const last = new Map<string, RuleReport>();
  for (const studied of studyDefinition(definition, settings)) last.set(studied.rule.path, reportOf(studied, definition.rules));
  return [...last.values()];
}

describe('the study of a definition', () => {
  const spec = {
    type: 'object',
    properties: {
      a: { ...LIST, maxItems: 40 },
      b: { ...LIST, maxItems: 500 },
      c: { type: 'object', properties: { d: LIST }, ...rules('self.nothing > 1') },
    },
    ...rules('self.a.all(x, self.a.all(y, x <= y + 3))', 'self.b.all(x, x < 5)'),
  };

  it('tells of each rule estimate, growth and dearest write, as plain JSON', () => {
    const [square, linear, broken] = reports(definitionOf(spec), 1, () => 0);
    expect(JSON.parse(JSON.stringify(square))).toEqual(square);
    expect(square).toMatchObject({
      version: 'v1',
      path: 'properties[spec].x-kubernetes-validations[0]',
      growsWith: [{ field: 'spec.a', unit: 'items', bound: 40, costExponent: 2, near: 'n²' }],
      dearest: { end: 'accepted', evaluations: 1, plan: { 'spec.a': { size: 40 } }, old: 'none' },
    });
    expect(BigInt(square?.estimate?.call ?? 0)).toBeGreaterThanOrEqual(BigInt(square?.dearest?.cost ?? 0));
    expect(linear?.growsWith).toMatchObject([{ field: 'spec.b', costExponent: 1, near: 'n' }]);
    expect(broken).toMatchObject({ growsWith: [], notStudied: expect.stringContaining('undefined field') as string });
  });

  it('ends in time, and names all rules', () => {
    const many = definitionOf({
      type: 'object',
      properties: { a: LIST },
      ...rules(...Array.from({ length: 3000 }, (_, i) => `self.a.all(x, self.a.all(y, x <= y + ${i}))`)),
    });
    const begun = performance.now();
    const all = reports(many, 1500, () => performance.now());
    // A busy machine may take a while for what the clock does not see.
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(all).toHaveLength(3000);
    expect(all.every(({ isPartial, growsWith }) => isPartial || growsWith.length > 0)).toBe(true);
    expect(all.at(-1)).toMatchObject({ notStudied: 'the time was over before its turn' });
  });
});
