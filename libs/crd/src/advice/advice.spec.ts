import { describe, expect, it } from 'vitest';
import { ADVICE_IDS } from '#documents';
import { LATEST_MINOR } from '#kube';
import type { Minor } from '#kube';
import { explainDefinition } from '../explain/explain-definition.ts';
import type { Advice } from './advice.ts';
import { ADVICE_KINDS } from './all-kinds.ts';

const definition = (spec: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            ${spec.trim().replaceAll('\n', '\n            ')}
`;

const explained = (spec: string, oldest?: Minor) =>
  explainDefinition(new TextEncoder().encode(definition(spec)), { minor: LATEST_MINOR, oldest });
const advice = (spec: string, oldest?: Minor): readonly Advice[] => explained(spec, oldest).advice;
const ids = (spec: string, oldest?: Minor): string[] => advice(spec, oldest).map(({ id }) => id);

describe.each(ADVICE_KINDS.map((kind) => [kind.id, kind] as const))('the advice %s', (id, { example, doc, title }) => {
  const { before, after, oldest, refused = false } = example;

  it('is given for its example, and not for the corrected example', () => {
    expect(ids(before, oldest)).toContain(id);
    expect(ids(after, oldest)).toEqual([]);
  });

  it('is about examples for which a server gives the stated verdicts', () => {
    const { verdict } = explained(before, oldest);
    expect([verdict.accepted, verdict.status?.message]).toEqual([!refused, refused ? expect.any(String) : undefined]);
    const mended = explained(after, oldest).verdict;
    expect([mended.accepted, mended.status?.message]).toEqual([true, undefined]);
  });

  it('has a title, an explanation and a stable id', () => {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(title.length + doc.length).toBeGreaterThan(100);
  });
});

const list = (extra: string, rule: string): string => `
properties:
  list:
    type: array
    maxItems: 20
    ${extra}
    items:
      type: object
      required: [name, type]
      properties:
        name: {type: string, maxLength: 20}
        type: {type: string, maxLength: 20}
        note: {type: string, maxLength: 20}
x-kubernetes-validations:
- rule: ${JSON.stringify(rule)}
required: [list]`;

describe('the advice int-or-string', () => {
  const port = (rule: string): string => `
properties:
  port:
    x-kubernetes-int-or-string: true
    x-kubernetes-validations:
    - rule: ${JSON.stringify(rule)}
required: [port]`;

  it.each([
    ['self > 0', ['int-or-string']],
    ['self + 1 < 10', ['int-or-string']],
    ["self.endsWith('%')", ['int-or-string']],
    ["self == 1 || self == 'x'", []],
    ['int(self) > 0', []],
    ["type(self) == int ? self > 0 : self.endsWith('%')", []],
  ])('is given exactly if the rule needs one of the two types: %s', (rule, expected) => {
    expect(ids(port(rule))).toEqual(expected);
  });

  it('states the position in the rule, and what to write', () => {
    expect(advice(port('self > 0'))).toMatchObject([
      { line: 1, column: 1, text: expect.stringContaining('type(self) == int ? ') as string },
    ]);
  });
});

describe('the advice unique-list', () => {
  it.each([
    ['', 'self.list.all(a, self.list.exists_one(b, a.name == b.name && b.type == a.type))', ['unique-list']],
    ['', 'self.list.all(a, self.list.filter(b, a.name == b.name).size() == 1)', ['unique-list']],
    ['', 'self.list.all(a, size(self.list.filter(b, b.name == a.name)) <= 1)', ['unique-list']],
    // These rules compare with another list or another field, or use an operator other than equality.
    ['', 'self.list.all(a, self.list.exists_one(b, a.name == b.type))', []],
    ['', 'self.list.all(a, self.list.exists_one(b, a.name == b.name || b.type == "x"))', []],
    ['', 'self.list.all(a, self.list.filter(b, b.name == a.name).size() == 2)', []],
    ['', 'self.list.all(a, self.list.exists(b, a.name == b.name))', []],
    ['', 'self.list.all(a, self.list.exists_one(b, a == b))', []],
    [
      '{"x-kubernetes-list-type": map, x-kubernetes-list-map-keys: [type]}',
      'self.list.all(a, self.list.exists_one(b, a.name == b.name))',
      [],
    ],
  ])('is given exactly if the rule demands unique values of a field: %s %s', (extra, rule, expected) => {
    const keywords = extra === '' ? '' : 'x-kubernetes-list-type: map\n    x-kubernetes-list-map-keys: [type]';
    expect(ids(list(keywords, rule))).toEqual(expected);
  });

  it('reports that the list type already makes the rule unnecessary', () => {
    const found = advice(
      list(
        'x-kubernetes-list-type: map\n    x-kubernetes-list-map-keys: [name]',
        'self.list.all(a, self.list.exists_one(b, a.name == b.name))',
      ),
    );
    expect(found.map(({ text }) => text.split(' The rule may')[0])).toEqual([
      'spec.list is a map by name already: no two elements have the same, and the rule can go.',
    ]);
  });

  it('names the fields that must become required to be keys', () => {
    const [found] = advice(list('', 'self.list.all(a, has(a.note) && self.list.exists_one(b, b.note == a.note))'));
    expect(found).toBeUndefined();
    const [bare] = advice(list('', 'self.list.all(a, self.list.exists_one(b, b.note == a.note))')).filter(({ id }) => id === 'unique-list');
    expect(bare?.text).toContain('A key must be required or have a default: note has neither.');
  });
});

describe('the advice missing-has', () => {
  const fields = (rule: string, more = ''): string => `
properties:
  min: {type: integer}
  max: {type: integer}
  "on": {type: boolean, default: true}
  inner: {type: object, properties: {a: {type: integer}}}
  list: {type: array, maxItems: 5, items: {type: object, properties: {a: {type: integer}}}}
${more}
x-kubernetes-validations:
- rule: ${JSON.stringify(rule)}`;

  it.each([
    ['self.min <= self.max', ['spec.min', 'spec.max']],
    ['!has(self.min) || self.min > 0', []],
    ['has(self.min) && self.min > 0', []],
    ['self.?min.orValue(1) > 0', []],
    ['self.on', []],
    ['has(self.inner) ? self.inner.a > 0 : true', ['spec.inner.a']],
    ['!has(self.list) || self.list.all(x, x.a > 0)', ['spec.list[*].a']],
    ['!has(self.list) || self.list.filter(x, has(x.a)).all(x, x.a > 0)', []],
    ['!has(self.list) || self.list[0].a > 0', ['spec.list[*].a']],
  ])('names the fields that the rule %s reads without has()', (rule, expected) => {
    const found = advice(fields(rule)).filter(({ id }) => id === 'missing-has');
    expect(found.map(({ text }) => text.split(' may be absent')[0])).toEqual(expected);
  });

  it('is not given for a field that a branch of the schema requires', () =>
    expect(ids(fields('self.min > 0', 'anyOf: [{required: [min]}, {required: [max]}]'))).toEqual([]));
});

describe('advice about patterns', () => {
  const pattern = (text: string, more = ''): string =>
    `properties:\n  a: {type: string, maxLength: 20, pattern: ${JSON.stringify(text)}${more}}\nrequired: [a]`;

  it.each([
    ['a^b', ['impossible-pattern']],
    ['(?m)a$b', ['impossible-pattern']],
    ['(?m)^a$\n^b$', []],
    ['[^\\x00-\\x{10FFFF}]', ['impossible-pattern']],
    ['^[a-z]{21}$', ['impossible-pattern']],
    ['^[a-z]{20}$', []],
    ['^(?:[a-z]{4}-){4}[a-z]$', ['impossible-pattern']],
    ['/usr/', []],
    ["'^a$'", ['quoted-pattern']],
    ['"a"', ['quoted-pattern']],
    ["'a'|b|'c'", []],
    ["'", []],
    ['[a-z]+', ['unanchored-pattern']],
    ['^[a-z]([a-z-]*[a-z])?', ['unanchored-pattern']],
    ['^a|(b+c)*$', ['unanchored-pattern']],
    ['^https://', []],
    ['^https://.*', []],
    ['^a(?:.|\n)*', []],
    ['ami-[0-9]{8}', []],
    ['^[a-z]+$', []],
    // This pattern is too large to analyze.
    ['^(?:a{999}b?){50}^', []],
  ])('is correct for: %s', (text, expected) => {
    expect(ids(pattern(text))).toEqual(expected);
  });

  it('is given for the patterns of rules and branches, with the position of each', () => {
    const rule = `${pattern('^a$', ", anyOf: [{pattern: 'a^b'}]")}\nx-kubernetes-validations:\n- rule: size(self.a) > 1 && self.a.matches('b+')`;
    expect(advice(rule)).toMatchObject([
      { id: 'impossible-pattern', path: 'properties[spec].properties[a].anyOf[0].pattern', line: 1, column: 1 },
      { id: 'unanchored-pattern', path: 'properties[spec].x-kubernetes-validations[0]', line: 1, column: 21 },
    ]);
  });
});

describe('the advice yaml-word', () => {
  it.each([
    ['a: {type: string, enum: ["no", "1.10", ""]}', []],
    ['a: {type: string, enum: [a, off, 1.10, ~]}', ['enum[1]', 'enum[2]', 'enum[3]']],
    ['a: {type: string, nullable: true, enum: [a, null]}', []],
    ['a: {type: integer, enum: [1, 2]}', []],
    ['a: {type: boolean, enum: [yes]}', []],
  ])('names the unquoted words of %s', (text, expected) => {
    const at = 'properties[spec].properties[a].';
    expect(advice(`properties:\n  ${text}`).map(({ path }) => path.replace(at, ''))).toEqual(expected);
  });

  it('names a property whose key is a boolean in YAML', () => {
    expect(advice('properties:\n  y: {type: integer}\n  "n": {type: integer}')).toMatchObject([
      { id: 'yaml-word', path: 'properties[spec].properties[true]' },
    ]);
  });
});

describe('positions of advice', () => {
  it('are in the source text, counted in code points', () => {
    const [found] = advice(list('', '"😀" != "" &&\n  self.list.all(a, self.list.exists_one(b, a.name == b.name))'));
    expect(found).toMatchObject({ id: 'unique-list', path: 'properties[spec].x-kubernetes-validations[0]', line: 2, column: 3 });
  });
});

it('each kind of advice has an id with which users can switch it off', () =>
  expect(ADVICE_KINDS.map(({ id }) => id)).toEqual([...ADVICE_IDS]));
