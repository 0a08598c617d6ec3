import { newJsonObject } from '#go';
import type { JsonValue } from '#go';
import { expect, it } from 'vitest';
import { collidingDoubles, collidingIntegers } from '../../../../testing/colliding-words.ts';
import { compile } from '../testing/compile-fixture.ts';
import { schemaOf } from '../testing/schema-fixture.ts';
import { wrapValue } from './wrap.ts';
import type { SchemaFixture } from '../testing/schema-fixture.ts';

const COUNT = 50_000;
const numbers: SchemaFixture = { type: 'array', items: { type: 'number' } };
const integers: SchemaFixture = { type: 'array', items: { type: 'integer' } };
const fixture: SchemaFixture = {
  type: 'object',
  properties: {
    doubles: numbers,
    set: { ...numbers, listType: 'set' },
    ints: integers,
    intSet: { ...integers, listType: 'set' },
  },
};
const doubles = collidingDoubles(COUNT);
const ints = collidingIntegers(COUNT);
const data = (values: Readonly<Record<string, JsonValue>>) => wrapValue(Object.assign(newJsonObject(), values), schemaOf(fixture));
const self = data({ doubles, set: doubles, ints: [], intSet: [] });
const wide = data({ doubles: [], set: [], ints, intSet: ints });

/** Rules that look for numbers in tables. A `Map` or `Set` of theirs takes several seconds. */
it.each<readonly [string, typeof self]>([
  ['self.set == self.doubles.reverse()', self],
  ['(self.set + self.doubles).size() == 50000', self],
  ['self.doubles.distinct().size() == 50000', self],
  ['sets.contains(self.doubles, self.doubles)', self],
  ['sets.equivalent(self.set, self.doubles)', self],
  ['self.intSet == self.ints.reverse()', wide],
  ['(self.intSet + self.ints).size() == 50000', wide],
  ['self.ints.transformMapEntry(i, v, {v: i}).size() == 50000', wide],
])('%s is true of numbers that the runtime hashes into one place, soon', (rule, value) => {
  for (const engine of ['compiled', 'interpreted'] as const) {
    const compiled = compile(rule, fixture, { engine });
    if (!compiled.ok) throw new Error(compiled.error);
    const begin = performance.now();
    expect(compiled.program.evaluate({ self: value }, { costLimit: Number.MAX_SAFE_INTEGER, token: undefined }).value).toBe(true);
    expect(performance.now() - begin).toBeLessThan(1500);
  }
});

it('looks numbers up among as many constants', () => {
  const constants = collidingDoubles(4000);
  const compiled = compile(`self.doubles.all(e, e in [${constants.map(String).join(', ')}])`, fixture, { engine: 'compiled' });
  if (!compiled.ok) throw new Error(compiled.error);
  const many = Array.from({ length: COUNT }, (_, i) => constants[i % 4000] as number);
  const begin = performance.now();
  const value = data({ doubles: many, set: [], ints: [], intSet: [] });
  expect(compiled.program.evaluate({ self: value }, { costLimit: Number.MAX_SAFE_INTEGER, token: undefined }).value).toBe(true);
  expect(performance.now() - begin).toBeLessThan(400);
});
