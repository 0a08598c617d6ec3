import { describe, expect, it } from 'vitest';
import { readJson } from '#go';
import { LATEST_MINOR } from '#kube';
import { environmentFor } from '../../language/environment.ts';
import { wrapValue } from '../../values/wrap.ts';
import { declareType } from '../../values/schema/declare-type.ts';
import { compile, schemaOf } from '../../testing/compile-fixture.ts';
import type { SchemaFixture } from '../../testing/compile-fixture.ts';
import { priceParts } from './price-parts.ts';
import type { CostedPart } from './price-parts.ts';

const names: SchemaFixture = { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 10 } };
const fixture: SchemaFixture = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 10 }, on: { type: 'boolean' }, names, long: { type: 'string' } },
};

/**
 * Estimates the cost of each part of an expression. If a value is given, also evaluates the expression on it and adds the measured cost.
 */
function price(text: string, json?: string, costLimit = 1_000_000): CostedPart {
  const schema = schemaOf(fixture);
  const compiled = compile(text, fixture, { engine: 'measured' });
  if (!compiled.ok) throw new Error(compiled.error);
  const sizes = { self: declareType(schema, 'value', LATEST_MINOR)!, environment: environmentFor(LATEST_MINOR, 'stored') };
  if (json === undefined) return priceParts(compiled.checked, sizes);
  const value = readJson(json);
  if (!value.ok) throw new Error(value.error);
  const { readings } = compiled.program.evaluate({ self: wrapValue(value.value, schema) }, { costLimit, token: undefined });
  return priceParts(compiled.checked, sizes, readings);
}

/**
 * Returns one indented line for each part: its text, and the text that `show` returns for its costs.
 *
 * `show` returns either the estimate (maximum own cost and maximum total cost) or the measured cost (own cost, total cost, number of
 * evaluations).
 */
function lines(part: CostedPart, show: (part: CostedPart) => string, depth = 0): string[] {
  return [`${' '.repeat(depth)}${part.text}: ${show(part)}`, ...part.parts.flatMap((inner) => lines(inner, show, depth + 1))];
}
const texts = (part: CostedPart, depth = 0): string[] => [
  ' '.repeat(depth) + part.text,
  ...part.parts.flatMap((inner) => texts(inner, depth + 1)),
];
const estimate = ({ estimate: { own, total, evaluations } }: CostedPart): string => `${own.max} ${total.max} x${evaluations}`;
const actual = ({ actual }: CostedPart): string => `${actual?.own} ${actual?.total} x${actual?.evaluations}`;

describe('costs of the parts of a rule', () => {
  it('show a macro call as written, and its inner parts with their number of evaluations', () => {
    const rule = "self.names.all(n, n.startsWith('a') && n != self.name)";
    expect(lines(price(rule), estimate)).toEqual([
      // The accumulator is charged 100 times in the condition (2 units) and in the step (1 unit), and once in the result.
      `${rule}: 301 1203 x1`,
      ' self.names: 2 2 x1',
      " n.startsWith('a') && n != self.name: 0 900 x100",
      "  n.startsWith('a'): 100 200 x100",
      '   n: 100 100 x100',
      '  n != self.name: 400 700 x100',
      '   n: 100 100 x100',
      '   self.name: 200 200 x100',
    ]);
    expect(lines(price(rule, '{"names":["ab","ac","xy","az"],"name":"b"}'), actual)).toEqual([
      // The third name ends the loop. It has three steps (3 units each), a fourth check of the condition (2) and the result (1).
      `${rule}: 12 28 x1`,
      ' self.names: 2 2 x1',
      " n.startsWith('a') && n != self.name: 0 14 x3",
      "  n.startsWith('a'): 3 6 x3",
      '   n: 3 3 x3',
      '  n != self.name: 2 8 x2',
      '   n: 2 2 x2',
      '   self.name: 4 4 x2',
    ]);
  });

  it('of a long chain of calls are computed in linear time', () => {
    const LINKS = 26;
    const chain = (links: number): string => `self.name${'.trim()'.repeat(links)}`;
    const before = process.cpuUsage();
    const part = price(`${chain(LINKS)} == 'a'`);
    // If the work doubled at each link, this would take a minute. CPU time is measured, because other processes may be busy.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(10_000);
    expect(texts(part).slice(1, -1)).toEqual(Array.from({ length: LINKS }, (_, i) => `${' '.repeat(i + 1)}${chain(LINKS - i)}`));
  });

  it('are 0 in the branch of a conditional that is not evaluated, even if the evaluated branch fails', () => {
    const rule = "(self.on ? self.names[5] : self.name) == 'x' || self.on";
    expect(lines(price(rule, '{"names":["a"],"name":"b","on":true}'), actual)).toEqual([
      `${rule}: 0 7 x1`,
      " (self.on ? self.names[5] : self.name) == 'x': 1 5 x1",
      // In a branch of a conditional, Kubernetes does not charge the base cost of one unit for a chain such as `self.names[5]`.
      '  self.on ? self.names[5] : self.name: 0 4 x1',
      '   self.on: 2 2 x1',
      '   self.names[5]: 1 2 x1',
      '    self.names: 1 1 x1',
      '   self.name: 0 0 x0',
      ' self.on: 2 2 x1',
    ]);
  });

  it.each([
    ["has(self.name) ? self.name == '日本' : true", ['has(self.name)', "self.name == '日本'", ' self.name']],
    ["((self.name) + ('𝒳')) == self.long", ["(self.name) + ('𝒳')", ' self.name', 'self.long']],
    [
      "self.?long.optMap(l, l.size() > 3).orValue(sets.contains(['a'], [self.name]))",
      [
        'self.?long.optMap(l, l.size() > 3)',
        ' self.?long',
        ' l.size() > 3',
        '  l.size()',
        '   l',
        "sets.contains(['a'], [self.name])",
        " ['a']",
        ' [self.name]',
        '  self.name',
      ],
    ],
    [
      "self.names.filter(n, n.matches('^[a-z]+$')).exists_one(n, n == 'ax')",
      ["self.names.filter(n, n.matches('^[a-z]+$'))", ' self.names', " n.matches('^[a-z]+$')", '  n', "n == 'ax'", ' n'],
    ],
    [
      'self.names.map(n, n.size()).sortBy(i, -i)[0] == 3',
      [
        'self.names.map(n, n.size()).sortBy(i, -i)[0]',
        ' self.names.map(n, n.size()).sortBy(i, -i)',
        '  self.names.map(n, n.size())',
        '   self.names',
        '   n.size()',
        '    n',
        '  -i',
        '   i',
      ],
    ],
    [
      "  !(self.on)\n  && 'a' in self.names && !self.on // why",
      ['!(self.on)', ' self.on', "'a' in self.names", ' self.names', '!self.on', ' self.on'],
    ],
    ["{'a': self.name, 'b': 'c'}.all(k, v, k != v)", ["{'a': self.name, 'b': 'c'}", ' self.name', 'k != v', ' k', ' v']],
  ])('come with the source text of each part, without comments and outer parentheses: %s', (rule, expected) => {
    const root = price(rule);
    expect(root.text).toBe(rule.replace(/\/\/.*/, '').trim());
    expect(root.parts.flatMap((part) => texts(part))).toEqual(expected);
  });

  it('come with the position of each part', () => {
    const root = price("self.on &&\n  '𝒳𝒳' == self.name");
    expect(root.parts.map(({ text, line, column }) => [text, line, column])).toEqual([
      ['self.on', 1, 1],
      ["'𝒳𝒳' == self.name", 2, 3],
    ]);
    expect(root.parts[1]?.parts[0]).toMatchObject({ text: 'self.name', line: 2, column: 11 });
  });

  it("add up to the interpreter's cost, even if the interpreter takes a unit back for a chain of fields", () => {
    const value = '{"on":true,"name":"a","names":["b"]}';
    for (const rule of ['has((self.on ? self : self).name)', 'has(self.name)', '(self.on ? self : self).name == self.names[0]']) {
      const reading = readJson(value);
      const schema = schemaOf(fixture);
      const interpreted = compile(rule, fixture, { engine: 'interpreted' });
      if (!interpreted.ok || !reading.ok) throw new Error(rule);
      const { cost } = interpreted.program.evaluate({ self: wrapValue(reading.value, schema) }, { costLimit: 1_000_000, token: undefined });
      expect([rule, price(rule, value).actual?.total]).toEqual([rule, cost]);
    }
  });

  it('add up to the charged cost if the cost limit stops the evaluation', () => {
    const root = price('self.names.all(n, n != self.name)', '{"names":["a","b","c","d"],"name":"x"}', 20);
    const own = (part: CostedPart): number => (part.actual?.own ?? 0) + part.parts.reduce((sum, inner) => sum + own(inner), 0);
    expect([own(root), root.actual?.total]).toEqual([21, 21]);
  });

  it('are at most 2^64 - 1', () => {
    const root = price('dyn(self.long).all(x, dyn(self.long).all(y, dyn(self.long).all(z, x == y)))');
    expect(root.estimate.total.max).toBe(18446744073709551615n);
  });
});
