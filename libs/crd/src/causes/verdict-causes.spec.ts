import { describe, expect, it } from 'vitest';
import { DIFFERENCES } from '#cel';
import { defaultGates, EXPRESSION_COST_LIMIT } from '#kube';
import type { Minor } from '#kube';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { judgeDefinition } from '../definition/judge-definition.ts';
import { verdictCauses } from './verdict-causes.ts';
import type { VerdictCauses } from './verdict-causes.ts';

type Schema = Readonly<Record<string, unknown>>;

const text = { type: 'string' } as const;
const rules = (...all: string[]) => ({ 'x-kubernetes-validations': all.map((rule) => ({ rule })) });
const object = (properties: Readonly<Record<string, Schema>>, ...all: string[]): Schema => ({
  type: 'object',
  properties,
  ...rules(...all),
});
const definition = (spec: Schema): string =>
  JSON.stringify(customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } }));

function causesOf(spec: Schema, from: Minor, to: Minor): VerdictCauses & { readonly accepted: readonly boolean[] } {
  const document = definition(spec);
  const accepted = [from, to].map((minor) => judgeDefinition(document, undefined, { minor, ownedFields: 'takenOff' }).accepted);
  return { ...verdictCauses(document, from, { minor: to, gates: defaultGates(to) }), accepted };
}

const names = ({ causes }: VerdictCauses): string[] => causes.map(({ name }) => name);

describe('the causes of different verdicts on a definition', () => {
  it('names the price that alone makes the difference, with its sentence and the rule', () => {
    const spec = { type: 'array', maxItems: 10, items: object({ a: text }, "matches(self.a, '^([0-9]{1,5}(h|m|s|ms)){1,4}$')") };
    const found = causesOf(spec, '1.36', '1.37');
    expect(found.accepted).toEqual([true, false]);
    const { sentence, upstream } = DIFFERENCES.globalMatchesTraverses.seen;
    expect(found.causes).toEqual([{ name: 'globalMatchesTraverses', sentence, upstream }]);
    expect(found.rules).toMatchObject([{ path: 'properties[spec].items.x-kubernetes-validations[0]', isMessage: false }]);
    const { from, to } = found.rules[0]?.costs ?? { from: 0n, to: 0n };
    expect([from < EXPRESSION_COST_LIMIT, to > EXPRESSION_COST_LIMIT]).toEqual([true, true]);
  });

  it.each<[what: string, cause: string, from: Minor, to: Minor, accepted: readonly boolean[], spec: Schema]>([
    [
      'the sizes of fields in a comparison of presence tests',
      'presenceTestsHaveSizes',
      '1.37',
      '1.38',
      [true, false],
      { type: 'array', maxItems: 100, items: object({ a: text, b: text }), ...rules('self.all(x, has(x.a) == has(x.b))') },
    ],
    [
      'an element of a computed list',
      'computedEntriesAreUnbounded',
      '1.37',
      '1.38',
      [true, false],
      object({ a: { ...text, maxLength: 100 } }, "self.a.split('/')[0].matches('^[a-z]+$')"),
    ],
    [
      'the parts of a URL',
      'urlPartsHaveSizes',
      '1.37',
      '1.38',
      [false, true],
      object({ a: { ...text, maxLength: 100 } }, "url(self.a).getHost().matches('^[a-z]+$')"),
    ],
    [
      'the bound of an int-or-string',
      'intOrStringIsBounded',
      '1.33',
      '1.34',
      [false, true],
      {
        type: 'array',
        maxItems: 100,
        items: object({ a: { 'x-kubernetes-int-or-string': true, maxLength: 20 } }, "string(self.a).matches('^[0-9]+$')"),
      },
    ],
  ])('finds %s', (_, cause, from, to, accepted, spec) => {
    const found = causesOf(spec, from, to);
    expect(found.accepted).toEqual(accepted);
    expect(names(found)).toEqual([cause]);
    expect(found.rules).toHaveLength(1);
  });

  it('names two prices if only both together make the difference', () => {
    const one = object({ a: text, b: text }, 'has(self.a) == has(self.b)');
    const other = object({ c: { ...text, maxLength: 10 } }, "self.c.split('/')[0].matches('^[a-z]+$')");
    const spec = object({ list: { type: 'array', maxItems: 100, items: one }, other });
    const found = causesOf(spec, '1.37', '1.38');
    expect(found.accepted).toEqual([true, false]);
    expect(names(found).toSorted()).toEqual(['computedEntriesAreUnbounded', 'presenceTestsHaveSizes']);
    expect(found.rules).toHaveLength(2);
  });

  it('says which sum exceeds its limit if no single rule does', () => {
    const field = (rule: string): Schema => object({ a: text }, rule);
    const spec = object(
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, field("matches(self.a, '^([0-9]{1,5}(h|m|s|ms)){1,4}$')")])),
    );
    const found = causesOf(spec, '1.36', '1.37');
    expect(found.accepted).toEqual([true, false]);
    expect(names(found)).toEqual(['globalMatchesTraverses']);
    expect(found.rules).toHaveLength(50);
    expect([...found.sums.keys()]).toEqual(['v1']);
  });

  it('takes functions and macros that only one version offers from their declarations', () => {
    const newer = causesOf(object({ a: { ...text, maxLength: 9 } }, 'isSemver(self.a)'), '1.33', '1.34');
    expect(newer.accepted).toEqual([false, true]);
    expect(newer.causes).toEqual([{ name: 'isSemver', sentence: 'Since 1.34, new rules may use `isSemver`', upstream: undefined }]);
    expect(newer.rules).toMatchObject([{ text: 'isSemver(self.a)', costs: undefined }]);
    const both = causesOf(object({ a: { ...text, maxLength: 9 } }, 'isIP(self.a) && ip(self.a).family() == 4'), '1.30', '1.31');
    expect(both.causes.map(({ sentence }) => sentence)).toEqual(['Since 1.31, new rules may use `isIP`, `family`, `ip`']);
    const keyword = causesOf(object({ namespace: text, a: text }, '!has(self.namespace) || has(self.a)'), '1.31', '1.32');
    expect(keyword.accepted).toEqual([false, true]);
    expect(names(keyword)).toEqual(['keywordFields']);
    const list = { type: 'array', maxItems: 9, items: { type: 'integer' } };
    const macro = causesOf(object({ a: list }, 'self.a.all(i, v, v > i)'), '1.32', '1.33');
    expect(macro.accepted).toEqual([false, true]);
    expect(names(macro)).toEqual(['twoVariableMacros']);
  });

  it('knows no cause if the verdicts agree', () => {
    const found = causesOf(object({ a: text }, 'self.a.size() < 5'), '1.36', '1.37');
    expect(found).toMatchObject({ accepted: [true, true], causes: [], hasSeveral: false, rules: [] });
  });

  it('changes no estimate of a version', () => {
    const spec = object({ a: { ...text, maxLength: 100 } }, "self.a.split('/')[0].matches('^[a-z]+$')");
    const costs = () =>
      (['1.37', '1.38'] as const).map((minor) =>
        judgeDefinition(definition(spec), undefined, { minor }).rules.map((rule) => rule.totalCost),
      );
    const before = costs();
    causesOf(spec, '1.37', '1.38');
    expect(costs()).toEqual(before);
  });
});
