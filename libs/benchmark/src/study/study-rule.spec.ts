import { describe, expect, it } from 'vitest';
import { compileStoredDefinition, loneRules } from '#crd';
import { readJson } from '#go';
import { LATEST_MINOR } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { SchemaTexts } from '../texts/schema-texts.ts';
import { EffectiveSchemas } from '../values/effective-schema.ts';
import { studyRule } from './study-rule.ts';
import type { RuleStudy } from './rule-study.ts';
import { thorough } from '../../../../testing/thorough.ts';

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

/** Studies the rule with the text `wanted`, or the first rule of the schema of `spec` if no text is given. */
function study(spec: object, wanted?: string): RuleStudy & { readonly kind: 'studied' } {
  const document = customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } });
  const reading = readJson(JSON.stringify(document));
  if (!reading.ok) throw new Error(reading.error);
  const outcome = compileStoredDefinition(reading.value, { minor: LATEST_MINOR, engine: NODE_ENGINE });
  if (!outcome.ok) throw new Error(outcome.status.message);
  const served = outcome.definition.serve('v1');
  if (served?.ok !== true) throw new Error('not served');
  const rules = loneRules(served.version);
  const rule = rules.find(({ rule: { source } }) => wanted === undefined || source.rule === wanted);
  if (rule === undefined) throw new Error('there is no such rule');
  const writing = { schemas: new EffectiveSchemas(), texts: new SchemaTexts(), maxBytes: 3_400_000 };
  // The clock stands still, so that the study also finishes on a busy machine.
  const settings = { ms: 1, now: () => 0, random: seededRandom(1) };
  const found = studyRule(rule, { definition: outcome.definition, rules, writing }, settings);
  if (found.kind !== 'studied') throw new Error(found.reason);
  return found;
}

const rule = (text: string, more: object = {}) => ({ 'x-kubernetes-validations': [{ rule: text, ...more }] });
const exponents = ({ growsWith }: RuleStudy & { readonly kind: 'studied' }) =>
  Object.fromEntries(
    growsWith.map(({ field, unit, growth }) => [`${field} ${unit}`, growth.kind === 'grows' ? growth.exponent : growth.kind]),
  );

describe('the growth exponent of a rule', () => {
  it.each<[string, object, Record<string, number | string>]>([
    ['constant', object({ a: INTEGER }, rule('self.a < 5')), {}],
    ['linear in a list', object({ a: list(INTEGER, { maxItems: 1000 }) }, rule('self.a.all(x, x < 5)')), { '.spec.a items': 1 }],
    ['square', object({ a: list(INTEGER, { maxItems: 64 }) }, rule('self.a.all(x, self.a.all(y, x <= y + 5))')), { '.spec.a items': 2 }],
    [
      'the product of two lists',
      object({ a: list(INTEGER, { maxItems: 50 }), b: list(INTEGER, { maxItems: 50 }) }, rule('self.a.all(x, self.b.all(y, x + y < 100))')),
      { '.spec.a items': 1, '.spec.b items': 1 },
    ],
    ['linear in a text', object({ a: { ...STRING, maxLength: 5000 } }, rule("!self.a.contains('xyz')")), { '.spec.a code points': 1 }],
    [
      'linear in a map and in its keys',
      object({ a: { type: 'object', additionalProperties: STRING, maxProperties: 100 } }, rule("self.a.all(k, !k.contains('zz'))")),
      { '.spec.a properties': 1, '.spec.a code points of keys': 1, '.spec.a{} code points': 'flat' },
    ],
  ])('differs from the known exponent by at most 0.05: %s', (_, spec, wanted) => {
    const found = exponents(study(spec));
    expect(Object.keys(found).toSorted()).toEqual(Object.keys(wanted).toSorted());
    for (const [name, exponent] of Object.entries(wanted))
      if (typeof exponent === 'number') expect(found[name], name).toBeCloseTo(exponent, 1);
      else expect(found[name], name).toBe(exponent);
  });
});

describe('the size at which a cost limit stops a rule', () => {
  it('is exact, and complete writes confirm it', () => {
    const square = study(object({ a: list(INTEGER) }, rule('self.a.all(x, self.a.all(y, x <= y + 5))')));
    expect(square.endsAt).toMatchObject({ field: '.spec.a', unit: 'items', limit: 'call' });
    expect(square.endsAt?.size).toBeGreaterThan(300);
    expect(square.costliest).toMatchObject({ end: 'call' });
  });

  it('is the size at which the budget of the object ends, for a rule on the items of a list', () => {
    const pairs = list(INTEGER, { maxItems: 50, ...rule('self.all(x, self.all(y, x <= y + 5))') });
    const each = study(object({ a: list(pairs) }));
    expect(each.endsAt).toMatchObject({ field: '.spec.a', unit: 'items', limit: 'object' });
  });

  it('is absent if the schema bounds the list below this size', () => {
    const bounded = study(object({ a: list(INTEGER, { maxItems: 100 }) }, rule('self.a.all(x, x < 5)')));
    expect([bounded.endsAt, bounded.costliest?.end]).toEqual([undefined, 'accepted']);
    // Without the bound, the limit would be reached at 200,000 elements: 5 units for each element, and 3 for the rest.
    expect(bounded.growsWith[0]).toMatchObject({ bound: 100, costAtBound: 503, wouldEndAt: 200_000 });
  });
});

describe('the most expensive write', () => {
  it.skipIf(!thorough)('satisfies other rules, keywords and unions of the schema', () => {
    const spec = object(
      {
        kind: { ...STRING, enum: ['A', 'B'] },
        a: object(
          { names: list({ ...STRING, pattern: '^[a-z]{2,10}$' }, { maxItems: 20, 'x-kubernetes-list-type': 'set' }) },
          rule('self.names.all(n, n != "x")'),
        ),
        b: INTEGER,
      },
      { required: ['kind'], ...rule("self.kind == 'A' ? has(self.a) && !has(self.b) : has(self.b)") },
    );
    const { costliest } = study(spec, 'self.names.all(n, n != "x")');
    expect(costliest).toMatchObject({ end: 'accepted', evaluations: 1 });
    expect(costliest?.candidate.plan.at('.spec.a.names')).toMatchObject({ size: 20 });
  });

  it('is reported with the rule that refuses a still more expensive value', () => {
    const spec = object(
      { a: list(INTEGER, { maxItems: 50 }) },
      { 'x-kubernetes-validations': [{ rule: 'self.a.all(x, x < 50)' }, { rule: 'self.a.size() < 3' }] },
    );
    const { costliest, obstacle } = study(spec);
    expect(costliest?.candidate.plan.at('.spec.a')).toMatchObject({ size: 2 });
    expect(obstacle).toBe('spec: self.a.size() < 3');
  });

  it('is an update if the rule compares the object with its old value', () => {
    const { costliest } = study(object({ a: { ...list(STRING, { maxItems: 30 }), ...rule('self.all(x, x in oldSelf)') } }));
    expect(costliest).toMatchObject({ end: 'accepted' });
    expect(costliest?.cost).toBeGreaterThan(100);
  });
});
