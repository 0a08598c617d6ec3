import { describe, expect, it } from 'vitest';
import { writeJson } from '#go';
import { defaultGates, EXPRESSION_COST_LIMIT, LATEST_MINOR, latestServer, PER_CALL_LIMIT, SCHEMA_COST_LIMIT } from '#kube';
import type { BoundChoice, Minor } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import { judgeDefinition } from '../definition/judge-definition.ts';
import { schemaPathText } from '../schema/schema-path.ts';
import { boundedDefinition, widgetDefinition } from '../testing/definition-fixture.ts';
import { RecentDefinitions } from '../schema/recent-definitions.ts';
import { COMMON_VALUES } from './bound-values.ts';
import type { Suggestion } from './bounds.ts';
import { chooseDefinitionBounds, explainDefinition } from './explain-definition.ts';
import type { DefinitionExplanation } from './explain-definition.ts';
import type { ChosenBounds } from './suggest-bounds.ts';

const string = { type: 'string' };
const rules = (...texts: string[]) => ({ 'x-kubernetes-validations': texts.map((rule) => ({ rule })) });
const object = (properties: unknown, ...texts: string[]) => ({ type: 'object', properties, ...rules(...texts) });

const explain = (definition: JsonValue): DefinitionExplanation => explainDefinition(writeJson(definition), latestServer());

/** Returns the definition with the bounds of a suggestion. If `raised` is given, the bound with this index has its next larger value. */
function bounded(
  definition: JsonObject,
  { changes }: Pick<Suggestion, 'changes'>,
  raised?: number,
  values?: BoundChoice['values'],
): JsonObject {
  return boundedDefinition(
    definition,
    changes.map(({ bound, value }, i) => ({ bound, value: i === raised ? nextValue(value, values) : value })),
  );
}

const nextValue = (value: bigint, values: BoundChoice['values'] = 'common'): bigint =>
  (values === 'common' && COMMON_VALUES.find((one) => one > value)) || value + 1n;

const accepted = (definition: JsonObject): boolean => judgeDefinition(definition, undefined, latestServer()).accepted;

/** Returns true if a server accepts the definition and can also finish each evaluation of its rules. */
const holds = (definition: JsonObject): boolean =>
  accepted(definition) && explain(definition).rules.every(({ maxCost }) => maxCost <= PER_CALL_LIMIT);

/**
 * Expects that the definition holds with each suggestion, and does not hold if one bound of a suggestion has the next larger value that people
 * choose.
 */
function expectTight(
  definition: JsonObject,
  suggestions: readonly Pick<Suggestion, 'changes'>[] | undefined,
  values?: BoundChoice['values'],
): void {
  expect(accepted(definition)).toBe(false);
  for (const suggestion of suggestions ?? []) {
    expect([suggestion.changes, accepted(bounded(definition, suggestion))]).toEqual([suggestion.changes, true]);
    for (const [i] of suggestion.changes.entries())
      expect([suggestion.changes, i, holds(bounded(definition, suggestion, i, values))]).toEqual([suggestion.changes, i, false]);
  }
}

/** Returns the bounds that the engine chooses for the only version of a definition. */
function chosenFor(definition: JsonObject, choice: BoundChoice, minors: readonly Minor[] = [LATEST_MINOR]): ChosenBounds | undefined {
  const servers = minors.map((minor) => ({ minor, gates: defaultGates(minor) }));
  return chooseDefinitionBounds(writeJson(definition), { servers, choice, recent: new RecentDefinitions() })[0]?.chosen;
}

/** Expects exact bounds for a definition, and returns them. Each bound that is larger by one makes a server reject the definition. */
function expectExact(definition: JsonObject, changes: BoundChoice['changes']): string | undefined {
  const chosen = chosenFor(definition, { changes, values: 'exact' });
  if (chosen?.kind !== 'found') return chosen?.kind;
  expectTight(definition, [chosen], 'exact');
  return setText(chosen);
}

const setText = ({ changes }: Pick<Suggestion, 'changes'>): string =>
  changes.map(({ bound, value }) => `${bound.fields} ${bound.keyword} ${value}`).join(' and ');

const texts = (suggestions: readonly Suggestion[] | undefined): string[] | undefined => suggestions?.map(setText);

describe('explainDefinition', () => {
  it('splits the cost of each rule into its parts', () => {
    const spec = object({ names: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 5 } } }, "self.names.all(n, n != 'x')");
    const { verdict, usable, rules, schemas } = explain(widgetDefinition(spec));
    expect([verdict.accepted, usable, schemas]).toEqual([
      true,
      true,
      [{ version: 'v1', cost: rules[0]?.totalCost, suggestions: undefined, chosen: { kind: 'needless' }, tightening: undefined }],
    ]);
    const [rule] = rules;
    expect(rule).toMatchObject({ path: 'properties[spec].x-kubernetes-validations[0]', suggestions: undefined });
    expect(rule?.parts?.estimate.total.max).toBe(rule?.maxCost);
    expect(rule?.parts?.parts.map(({ text }) => text)).toEqual(['self.names', "n != 'x'"]);
    expect(rule?.bounds.map(({ fields, keyword, value, drives }) => [fields, keyword, value, drives])).toEqual([
      ['spec.names', 'maxItems', 10n, 'size'],
      ['spec.names[*]', 'maxLength', 5n, 'size'],
    ]);
  });

  it('names only bounds that influence the cost, even if the cost overflows', () => {
    const matches = { type: 'array', maxItems: 8, items: { type: 'string', maxLength: 100 } };
    const list = (maxItems: number) => ({ type: 'array', maxItems, items: object({ matches }) });
    const fieldsOf = (rule: string, maxItems: number) =>
      explain(widgetDefinition(object({ rules: list(maxItems) }, rule))).rules[0]?.bounds.map(({ fields }) => fields);
    expect(fieldsOf('self.rules.map(r, r.matches.size()).sum() < 128', 16)).toEqual(['spec.rules']);
    expect(fieldsOf("self.rules.all(r, r.matches.all(m, m != 'x'))", 16)).toEqual(['spec.rules', 'spec.rules[*].matches']);
    const nested = 'self.rules.all(a, self.rules.all(b, self.rules.all(c, a.matches.size() + b.matches.size() > 0)))';
    expect(fieldsOf(nested, 10_000_000)).toEqual(['spec.rules']);
  });

  it('suggests bounds for the list that a rule traverses and for its texts', () => {
    const definition = widgetDefinition(object({ list: { type: 'array', items: string } }, 'self.list.all(a, self.list.all(b, a == b))'));
    const { usable, rules } = explain(definition);
    expect(usable).toBe(true);
    expect(rules[0]?.totalCost).toBeGreaterThan(EXPRESSION_COST_LIMIT);
    // A list of at most five elements would suffice too, but people do not choose bounds that small.
    expect(texts(rules[0]?.suggestions)).toEqual(['spec.list maxItems 128 and spec.list[*] maxLength 128']);
    expectTight(definition, rules[0]?.suggestions);
    expect(expectExact(definition, 'missing')).toBe('spec.list maxItems 131 and spec.list[*] maxLength 132');
  });

  it('suggests missing bounds of lists and maps around a rule, and no lower values for existing bounds if a missing bound suffices', () => {
    const inner = object({ a: { type: 'string', maxLength: 100 } }, "self.a.matches('^[a-z]+$')");
    const definition = widgetDefinition(
      object({ outer: { type: 'array', maxItems: 4000, items: { type: 'object', additionalProperties: inner } } }),
    );
    const { rules } = explain(definition);
    expect(rules[0]?.bounds.map(({ fields, value, drives }) => [fields, value, drives])).toEqual([
      ['spec.outer', 4000n, 'evaluations'],
      ['spec.outer[*]', undefined, 'evaluations'],
      ['spec.outer[*][*].a', 100n, 'size'],
    ]);
    expect(texts(rules[0]?.suggestions)).toEqual(['spec.outer[*] maxProperties 16']);
    expectTight(definition, rules[0]?.suggestions);
    expect(expectExact(definition, 'missing')).toBe('spec.outer[*] maxProperties 29');
    // A missing bound suffices, so existing ones stay.
    expect(expectExact(definition, 'all')).toBe('spec.outer[*] maxProperties 29');
  });

  it('suggests pairs if no single bound suffices, then more bounds with larger values', () => {
    const definition = widgetDefinition(
      object({ a: { type: 'array', items: string }, b: { type: 'array', items: string } }, 'self.a.all(x, self.b.all(y, x == y))'),
    );
    const { rules } = explain(definition);
    const { suggestions = [] } = rules[0]!;
    // `x == y` reads only as far as the shorter text, so one bound is enough.
    expect(texts(suggestions)).toMatchInlineSnapshot(`
      [
        "spec.a maxItems 128 and spec.a[*] maxLength 128 and spec.b maxItems 128",
        "spec.a maxItems 128 and spec.b maxItems 128 and spec.b[*] maxLength 128",
      ]
    `);
    expectTight(definition, suggestions);
  });

  it('suggests more bounds if no two suffice', () => {
    const list = { type: 'array', items: string };
    const definition = widgetDefinition(
      object(
        { a: list, b: list, c: list },
        'self.a.all(x, self.b.all(y, self.c.all(z, [1, 2, 3, 4, 5, 6, 7, 8].all(i, x != y || y != z))))',
      ),
    );
    const { suggestions = [] } = explain(definition).rules[0]!;
    expect(suggestions[0]?.changes.length).toBeGreaterThan(2);
    expectTight(definition, suggestions);
  });

  it('suggests larger values for bounds with little influence', () => {
    const definition = widgetDefinition(
      object(
        { a: { type: 'array', items: { type: 'integer' } }, b: { type: 'array', items: { type: 'integer' } } },
        'self.a.all(x, self.a.all(y, self.a.all(z, x + y != z))) && self.b.all(x, x != 1)',
      ),
    );
    const { suggestions = [] } = explain(definition).rules[0]!;
    expect(texts(suggestions)).toMatchInlineSnapshot(`
      [
        "spec.a maxItems 32 and spec.b maxItems 131072",
      ]
    `);
    expectTight(definition, suggestions);
  });

  it('lowers existing bounds only if the caller allows that', () => {
    const list = { type: 'array', maxItems: 100_000, items: { type: 'string', maxLength: 100_000 } };
    const definition = widgetDefinition(object({ a: list, b: list, c: list }, 'self.a.all(x, self.b.all(y, self.c.all(z, x == y + z)))'));
    expect(explain(definition).rules[0]?.suggestions).toEqual([]);
    expect(chosenFor(definition, { changes: 'missing', values: 'common' })).toMatchObject({
      kind: 'none',
      helpless: { path: 'properties[spec].x-kubernetes-validations[0]' },
    });
    const chosen = chosenFor(definition, { changes: 'all', values: 'common' });
    expectTight(definition, chosen?.kind === 'found' ? [chosen] : undefined);
    expect(chosen?.kind === 'found' && chosen.changes.map(({ bound }) => bound.value)).toContain(100_000n);
    expect(expectExact(definition, 'all')).toMatch(/ and /);
  });

  it('suggests a bound for an int-or-string whose field name is escaped in the rule', () => {
    const definition = widgetDefinition(
      object({ 'x-y': { 'x-kubernetes-int-or-string': true } }, "string(self.x__dash__y).matches('" + 'a?'.repeat(200) + "')"),
    );
    const { rules } = explain(definition);
    expect(rules[0]?.bounds.map(({ fields, keyword }) => [fields, keyword])).toEqual([['spec.x-y', 'maxLength']]);
    expect(rules[0]?.suggestions).toHaveLength(1);
    expectTight(definition, rules[0]?.suggestions);
  });

  it('suggests bounds for a messageExpression', () => {
    const message = `${'self.a + '.repeat(60)}self.a`;
    const spec = { ...object({ a: string }), 'x-kubernetes-validations': [{ rule: 'true', messageExpression: message }] };
    const definition = widgetDefinition(spec);
    const { rules } = explain(definition);
    expect(rules[0]?.suggestions).toBeUndefined();
    expect(rules[0]?.messageSuggestions).toHaveLength(1);
    expect(rules[0]?.messageParts?.estimate.total.max).toBe(rules[0]?.messageMaxCost);
    expect(rules[0]?.messageBounds.map(({ fields, keyword }) => `${fields} ${keyword}`)).toEqual(['spec.a maxLength']);
    expectTight(definition, rules[0]?.messageSuggestions);
  });

  it('suggests bounds for a schema whose rules exceed the limit only together', () => {
    const names = { type: 'array', maxItems: 100_000, items: { type: 'string', maxLength: 10 } };
    const spec = object({ names }, ...Array.from({ length: 250 }, (_, i) => `self.names.all(n, n != 'x${i}')`));
    const definition = widgetDefinition(spec);
    const { rules, schemas } = explain(definition);
    expect(rules.every(({ suggestions }) => suggestions === undefined)).toBe(true);
    expect(schemas[0]?.cost).toBeGreaterThan(SCHEMA_COST_LIMIT);
    expect(schemas[0]?.suggestions).toEqual([]);
    expect(expectExact(definition, 'all')).toMatch(/^spec\.names/);
    const unbounded = widgetDefinition(
      object(
        { names: { type: 'array', items: { type: 'string', maxLength: 10 } } },
        ...Array.from({ length: 30 }, (_, i) => `self.names.exists(n, n == 'x${i}')`),
      ),
    );
    const together = explain(unbounded);
    expect(together.rules.every(({ suggestions }) => suggestions === undefined)).toBe(true);
    expectTight(unbounded, together.schemas[0]?.suggestions);
    expect(texts(together.schemas[0]?.suggestions)).toEqual(['spec.names maxItems 524288']);
  });

  it('suggests no bound that a minimum size or a default contradicts', () => {
    const list = widgetDefinition(
      object({ list: { type: 'array', minItems: 5, items: string } }, 'self.list.all(a, self.list.all(b, a == b))'),
    );
    expect(texts(explain(list).rules[0]?.suggestions)).toEqual(['spec.list maxItems 128 and spec.list[*] maxLength 128']);
    const long = widgetDefinition(
      object({ list: { type: 'array', minItems: 1000, items: string } }, 'self.list.all(a, self.list.all(b, a == b))'),
    );
    expect(texts(explain(long).rules[0]?.suggestions)).toEqual(['spec.list maxItems 1024 and spec.list[*] maxLength 8']);
    const items = object({ given: { ...string, default: 'x'.repeat(300) } }, "self.given.matches('^a+b+c+d+$')");
    const definition = widgetDefinition(object({ list: { type: 'array', maxItems: 100_000, items } }));
    expect(texts(explain(definition).rules[0]?.suggestions)).toEqual([]);
    expect(expectExact(definition, 'all')).toBe('spec.list maxItems 10');
  });

  it('suggests nothing if no bound helps', () => {
    const costly = 'abcdefgh'.split('').reduce((rule, name) => `[1, 2, 3, 4, 5, 6, 7, 8, 9].all(${name}, ${rule})`, 'true');
    const definition = widgetDefinition(object({ a: string }, costly));
    expect(explain(definition).rules[0]).toMatchObject({ bounds: [], suggestions: [] });
  });

  it('explains the valid parts of a rejected definition', () => {
    const { verdict, usable, rules } = explain(widgetDefinition(object({ a: string }, 'self.nope', 'self.a.size() > 0')));
    expect([verdict.accepted, usable]).toEqual([false, false]);
    expect(rules.map(({ error, parts }) => [error === undefined, parts?.text])).toEqual([
      [false, undefined],
      [true, 'self.a.size() > 0'],
    ]);
    expect(explainDefinition('nothing', latestServer())).toMatchObject({ usable: false, rules: [], schemas: [] });
  });

  it('writes schema paths in the same form as the costs of rules', () => {
    expect(schemaPathText([{ kind: 'property', name: 'a.b' }, { kind: 'items' }])).toBe('properties[a.b].items');
  });
});
