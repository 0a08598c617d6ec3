import { expect, it } from 'vitest';
import { environmentFor } from '../language/environment.ts';
import { compile } from '../testing/compile-fixture.ts';
import type { SchemaFixture } from '../testing/compile-fixture.ts';

const text = (maxLength: number): SchemaFixture => ({ type: 'string', maxLength });
const schema: SchemaFixture = {
  type: 'object',
  properties: {
    a: text(10),
    b: text(20),
    t: { type: 'string' },
    l: { type: 'array', maxItems: 5, items: text(30) },
    n: { type: 'array', maxItems: 3, items: { type: 'array', maxItems: 4, items: text(7) } },
    m: { type: 'object', maxProperties: 6, additionalProperties: text(40) },
  },
};

/** Rules with the cost that the oracle of 1.38.0-beta.0 estimates. */
const RULES: readonly (readonly [rule: string, maxCost: bigint])[] = [
  ['has(self.a) == has(self.b)', 6n],
  ['has(self.t) == has(self.a)', 6n],
  ["self.t.split('/')[0] == 'x'", 629150n],
  ["self.a.split('/')[0].matches('^a+$')", 18446744073709551615n],
  ["self.a.split('/').all(p, p == 'x')", 171n],
  ["self.m.all(k, k.split('-')[0] == 'x')", 39n],
  ['self.l[0] == self.b', 13n],
  ['[self.a, self.b][0] == self.t', 25n],
  ["[self.l, ['abc']][1][0] == self.t", 38n],
  ["(self.l + ['abc'])[5] == self.t", 28n],
  ["(true ? self.l : ['abc'])[0] == self.t", 25n],
  ["[].all(e, e == 'x')", 11n],
  ["self.l.map(e, e + '!').all(e, e == self.t)", 174n],
  ["self.l.filter(e, e == 'x').size() == 1", 90n],
  ['self.n.all(i, i.all(e, e == self.t))', 126n],
  ["self.m.transformMap(k, v, v + 'x').all(k, k == self.t)", 196n],
  ["{'a': self.b}['a'] == self.t", 43n],
  ["{'a': self.b}.a == self.t", 314608n],
  ['dyn(self.l)[0] == self.t', 18n],
  ['type(dyn(self).nope) == string', 5n],
  ['has((true ? self : self).a)', 1n],
  ["url('https://a.b/').getHost().matches('x')", 5n],
  ["url('https://a.b/').getEscapedPath() == self.t", 9n],
  ['[self.l.slice(1, 3)][0].all(e, e == self.t)', 39n],
  ['self.l.reverse()[0] == self.t', 33n],
  ['self.l.distinct()[0] == self.t', 81n],
  ['[[1], [2]].flatten()[0] == 1', 45n],
  ['string(bytes(self.a)) == self.t', 40n],
  ['bytes(self.t).size() == 1', 314577n],
  ["self.l.join('-') == self.t", 126n],
  ['optional.of(self.l).orValue([])[0] == self.t', 314590n],
  ["[?optional.none(), 'abc'][0] == self.t", 15n],
  ["self.?a.orValue('x') == self.t", 314578n],
  ['lists.range(5).all(i, self.l[i] == self.t)', 122n],
  ['self.t + self.t == self.t', 943725n],
];

it.each(RULES)('the estimate of 1.38 for %s is at most %s units', (rule, maxCost) => {
  const compiled = compile(rule, schema, { environment: environmentFor('1.38', 'stored') });
  expect(compiled.ok ? compiled.maxCost : compiled.error).toBe(maxCost);
});
