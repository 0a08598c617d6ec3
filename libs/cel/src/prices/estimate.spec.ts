import { describe, expect, it } from 'vitest';
import { environmentFor } from '../language/environment.ts';
import { compile } from '../testing/compile-fixture.ts';
import type { SchemaFixture } from '../testing/compile-fixture.ts';

const schema: SchemaFixture = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 10 },
    long: { type: 'string' },
    count: { type: 'integer' },
    tags: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 10 } },
    labels: { type: 'object', maxProperties: 3, additionalProperties: { type: 'string', maxLength: 10 } },
  },
};

function maxCost(text: string, minor: '1.32' | '1.37' = '1.37'): bigint | string {
  const compiled = compile(text, schema, { environment: environmentFor(minor, 'stored') });
  return compiled.ok ? compiled.maxCost : compiled.error;
}

describe('the estimated cost', () => {
  it.each([
    ['1 == 1', 1n],
    ['self.count == self.count', 4n],
    ["self.name == 'x'", 3n],
    ['has(self.name)', 1n],
    ["self.name.startsWith('abc')", 3n],
    ['self.tags.all(t, t == self.name)', 53n],
    ['self.tags.exists(t, true)', 23n],
    ['self.labels.transformMap(k, v, k.trim()) == {}', 75n],
    ['self.long == self.long', 314577n],
    ['[1, 2, 3].map(x, x * 2)', 63n],
    ['dyn([1, 2]).all(x, x == 1)', 20n],
    ['1 in lists.range(9007199254740993)', 18014398509481995n],
  ])('of %s is %s', (text, cost) => {
    expect(maxCost(text)).toBe(cost);
  });

  it('is at most 2^64 - 1', () => {
    expect(maxCost('dyn(self.tags).all(x, dyn(self.long).all(y, dyn(self.long).all(z, dyn(self.long).all(w, w == y))))')).toBe(
      18446744073709551615n,
    );
  });

  it('considers the entries of literals only since 1.33', () => {
    expect(maxCost('dyn(1) + dyn(1) == 2', '1.32')).toBe(1844674407370955267n);
    expect(maxCost('dyn(1) + dyn(1) == 2', '1.37')).toBe(4n);
  });

  it('gives the variable of optMap the size 0 before 1.33, like the root of the schema', () => {
    const rule = "self.?name.optMap(v, v == 'log').orValue(true)";
    expect(maxCost(rule, '1.32')).toBe(19n);
    expect(maxCost(rule, '1.37')).toBe(20n);
  });
});
