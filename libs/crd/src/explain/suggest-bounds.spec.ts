import { describe, expect, it } from 'vitest';
import { CancellationFlag, Cancelled, writeJson } from '#go';
import { defaultGates, LATEST_MINOR, MINORS, USUAL_CHOICE } from '#kube';
import type { Minor } from '#kube';
import { judgeDefinition } from '../definition/judge-definition.ts';
import { schemaPathText } from '../schema/schema-path.ts';
import { RecentDefinitions } from '../schema/recent-definitions.ts';
import { boundedDefinition, widgetDefinition } from '../testing/definition-fixture.ts';
import { chooseDefinitionBounds, explainDefinition } from './explain-definition.ts';

const string = { type: 'string' };
const object = (properties: unknown, ...rules: string[]) => ({
  type: 'object',
  properties,
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
});
const ruled = (schema: object, ...rules: string[]) => ({ ...schema, 'x-kubernetes-validations': rules.map((rule) => ({ rule })) });
const list = (items: unknown) => ({ type: 'array', items });
const map = (additionalProperties: unknown) => ({ type: 'object', additionalProperties });
/** Rule whose estimate exceeds the limit for an unbounded text. */
const DEAR = `self.matches('${'a?'.repeat(200)}')`;

const serversOf = (minors: readonly Minor[]) => minors.map((minor) => ({ minor, gates: defaultGates(minor) }));

/**
 * Returns the chosen bounds of the only version as texts, or the kind of another result. Expects that all servers accept the definition
 * with these bounds.
 */
function chosenFor(
  spec: unknown,
  choice = USUAL_CHOICE,
  minors: readonly Minor[] = [LATEST_MINOR],
): readonly string[] | string | undefined {
  const definition = widgetDefinition(spec);
  const servers = serversOf(minors);
  const [found] = chooseDefinitionBounds(writeJson(definition), { servers, choice, recent: new RecentDefinitions() });
  if (found?.chosen.kind !== 'found') return found?.chosen.kind;
  const changed = boundedDefinition(definition, found.chosen.changes);
  for (const server of servers) {
    const { accepted, errors } = judgeDefinition(changed, undefined, server);
    expect([server.minor, accepted, errors]).toEqual([server.minor, true, []]);
  }
  return found.chosen.changes.map(({ bound, value }) => `${bound.fields} ${bound.keyword} ${value}`);
}

describe('chooseDefinitionBounds', () => {
  it('suggests the innermost bound of nested lists if it suffices', () => {
    const inner = { ...list(ruled(string, 'self.size() < 10')), maxItems: 50 };
    expect(
      chosenFor(
        object({ outer: { ...list(object({ inner })), maxItems: 50 } }, 'self.outer.all(o, o.inner.all(i, i.matches("^[a-z]+$")))'),
      ),
    ).toEqual(['spec.outer[*].inner[*] maxLength 256']);
  });

  it('suggests bounds of maps', () => {
    expect(chosenFor(object({ labels: map(ruled({ ...string, maxLength: 63 }, DEAR)) }))).toEqual(['spec.labels maxProperties 2048']);
  });

  it('suggests one bound for all rules that depend on the same field', () => {
    const field = ruled(string, DEAR, `!${DEAR}`, "self.size() < 5 || self.split('').size() < 5");
    expect(chosenFor(object({ field, other: string }, `self.field.contains('x') || ${DEAR.replace('self', 'self.field')}`))).toEqual([
      'spec.field maxLength 16384',
    ]);
  });

  it('prefers a field on which several rules depend', () => {
    const rules = ['a', 'b', 'c'].map((name) => `self.shared.all(x, self.${name}.all(y, x != y))`);
    const integers = { ...list({ type: 'integer' }), maxItems: 1000 };
    expect(chosenFor(object({ shared: list({ type: 'integer' }), a: integers, b: integers, c: integers }, ...rules))).toEqual([
      'spec.shared maxItems 128',
    ]);
  });

  it('suggests bounds for each version of the definition separately', () => {
    const definition = widgetDefinition(object({ a: ruled(string, DEAR) })) as { spec: { versions: { name: string }[] } };
    const [version] = definition.spec.versions;
    definition.spec.versions.push({ ...version, name: 'v2', storage: false } as never);
    const chosen = chooseDefinitionBounds(writeJson(definition), {
      servers: serversOf([LATEST_MINOR]),
      choice: USUAL_CHOICE,
      recent: new RecentDefinitions(),
    });
    expect(chosen.map((one) => [one.version, one.chosen.kind === 'found' && one.chosen.changes.map(({ value }) => value)])).toEqual([
      ['v1', [16_384n]],
      ['v2', [16_384n]],
    ]);
  });

  it.each([
    ['a pattern', { pattern: '^([0-9]{1,5}(h|m|s|ms)){1,4}$' }, 28],
    ['a format', { format: 'uuid' }, 36],
    ['an enum in a branch', { allOf: [{ enum: ['a', 'abcde'] }] }, 5],
    ['all branches', { oneOf: [{ pattern: '^a{3}$' }, { maxLength: 40 }] }, 40],
    ['only one of the branches', { anyOf: [{ pattern: '^a{3}$' }, { pattern: '^b' }] }, 0],
    ['a format that a server does not check', { format: 'unheard-of' }, 0],
  ])('suggests the largest length that %s permits, or else a usual value', (_, keywords, longest) => {
    const common = chosenFor(object({ a: ruled(string, DEAR) }));
    expect(chosenFor(object({ a: ruled({ ...string, ...keywords }, DEAR) }))).toEqual(
      longest === 0 ? common : [`spec.a maxLength ${longest}`],
    );
  });

  it('suggests no bound for an enum or a format whose length the estimate knows', () => {
    expect(chosenFor(object({ a: ruled({ ...string, enum: ['x', 'yz'] }, DEAR) }))).toBe('needless');
    expect(chosenFor(object({ a: { ...string, format: 'date' } }, 'self.a == self.a'))).toBe('needless');
  });

  it('suggests the largest value that suffices if the caller wants exact values', () => {
    const exact = chosenFor(object({ a: ruled(string, DEAR) }), { changes: 'missing', values: 'exact' });
    expect(exact).toEqual(['spec.a maxLength 24997']);
  });

  it('finds no bound for a rule whose cost depends on none', () => {
    const costly = 'abcdefgh'.split('').reduce((rule, name) => `[1, 2, 3, 4, 5, 6, 7, 8, 9].all(${name}, ${rule})`, 'true');
    expect(chosenFor(object({ a: string }, costly), { changes: 'all', values: 'common' })).toBe('none');
  });

  it('suggests a bound for an int-or-string only if all servers count its maxLength', () => {
    const field = ruled({ 'x-kubernetes-int-or-string': true }, `string(self).matches('${'a?'.repeat(200)}')`);
    const nested = object({ a: { ...list(field), maxItems: 16 } });
    expect(chosenFor(nested, USUAL_CHOICE, ['1.37'])).toEqual(['spec.a[*] maxLength 8192']);
    expect(chosenFor(nested, USUAL_CHOICE, ['1.33'])).toBe('none');
    expect(chosenFor(nested, USUAL_CHOICE, ['1.37', '1.33'])).toBe('none');
  });

  it('suggests bounds for fields of an object that also preserves unknown fields', () => {
    const spec = { ...object({ a: ruled(string, DEAR) }), 'x-kubernetes-preserve-unknown-fields': true };
    expect(chosenFor(spec)).toEqual(chosenFor(object({ a: ruled(string, DEAR) })));
  });

  it('suggests bounds that all requested servers accept', () => {
    const spec = object({ a: { ...list(ruled(string, `matches(self, '${'a?'.repeat(50)}')`)), maxItems: 64 } });
    expect([chosenFor(spec, USUAL_CHOICE, ['1.36']), chosenFor(spec, USUAL_CHOICE, ['1.37'])]).toEqual([
      'needless',
      ['spec.a[*] maxLength 8192'],
    ]);
    expect(chosenFor(spec, USUAL_CHOICE, MINORS)).toEqual(['spec.a[*] maxLength 8192']);
  });

  it('suggests the same bounds for each rule and for the whole definition', () => {
    const a = ruled(string, DEAR);
    const definition = widgetDefinition(object({ a, b: list(a), c: list(string) }, 'self.c.all(x, self.c.all(y, x != y))'));
    const { rules, schemas } = explainDefinition(writeJson(definition), serversOf([LATEST_MINOR])[0]!);
    const textOf = ({ changes }: { changes: readonly { bound: { path: Parameters<typeof schemaPathText>[0] }; value: bigint }[] }) =>
      changes.map(({ bound, value }) => `${schemaPathText(bound.path)} ${value}`);
    const { chosen, suggestions } = schemas[0]!;
    const all = chosen.kind === 'found' ? textOf(chosen) : [];
    expect(all.length).toBeGreaterThan(2);
    expect(suggestions?.map(textOf)[0]).toEqual(all);
    const ofRules = rules.flatMap((rule) => rule.suggestions?.slice(0, 1).flatMap(textOf) ?? []);
    expect(new Set(ofRules)).toEqual(new Set(all));
  });

  it('ends within 20 s for 400 rules with 800 missing bounds, and throws when it is cancelled', () => {
    const fields = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`f${i}`, list(string)]));
    const names = Object.keys(fields);
    const rules = names.map((name, i) => `self.${name}.all(x, self.${names[(i + 1) % names.length]}.all(y, x != y))`);
    const start = performance.now();
    const token = new CancellationFlag();
    const text = writeJson(widgetDefinition(object(fields, ...rules)));
    const question = { servers: serversOf([LATEST_MINOR]), choice: USUAL_CHOICE, recent: new RecentDefinitions(), token };
    expect(chooseDefinitionBounds(text, question)[0]?.chosen.kind).toBe('found');
    expect(performance.now() - start).toBeLessThan(20_000);
    token.cancel();
    expect(() => chooseDefinitionBounds(text, question)).toThrow(Cancelled);
  });
});
