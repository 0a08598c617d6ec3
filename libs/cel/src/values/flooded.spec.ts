import { newJsonObject } from '#go';
import type { JsonValue } from '#go';
import { expect, it } from 'vitest';
import { collidingDoubles, collidingIntegers } from '../../../../testing/colliding-words.ts';
import { nativeNumberKeys } from '../../../../testing/native-keys.ts';
import { compile, schemaOf } from '../testing/compile-fixture.ts';
import type { SchemaFixture } from '../testing/compile-fixture.ts';
import { wrapValue } from './wrap.ts';

const COUNT = 2000;
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
const limits = { costLimit: Number.MAX_SAFE_INTEGER, token: undefined };
const wide = data({ doubles: [], set: [], ints, intSet: ints });

/** Maximum number of numeric keys that may be stored in hash tables without a seed. It is several times the number that small sets need. */
const FEW = 200;

/** Rules that look up numbers in hash tables. */
it.each<readonly [string, typeof self]>([
  ['self.set == self.doubles.reverse()', self],
  ['(self.set + self.doubles).size() == 2000', self],
  ['self.doubles.distinct().size() == 2000', self],
  ['sets.contains(self.doubles, self.doubles)', self],
  ['sets.equivalent(self.set, self.doubles)', self],
  ['self.intSet == self.ints.reverse()', wide],
  ['(self.intSet + self.ints).size() == 2000', wide],
  ['self.ints.transformMapEntry(i, v, {v: i}).size() == 2000', wide],
])('%s puts no numbers from a client into hash tables without a seed', (rule, value) => {
  for (const engine of ['compiled', 'interpreted'] as const) {
    const compiled = compile(rule, fixture, { engine });
    if (!compiled.ok) throw new Error(compiled.error);
    const keys = nativeNumberKeys(() => {
      expect(compiled.program.evaluate({ self: value }, limits).value).toBe(true);
    });
    expect(keys).toBeLessThan(FEW);
  }
});

it.each(['compiled', 'interpreted'] as const)(
  'generated code and interpreter search numbers among constants in a hash table with a seed: %s',
  (engine) => {
    const integers = Array.from({ length: COUNT }, (_, i) => String(i * 7919));
    const keysOf = (value: string, members: readonly string[]): number =>
      nativeNumberKeys(() => {
        const compiled = compile(`[${value}].all(e, e in [${members.join(', ')}])`, fixture, { engine });
        if (!compiled.ok) throw new Error(compiled.error);
        expect(compiled.program.evaluate({ self }, limits).value).toBe(true);
      });
    // The compiler has tables by node id, but a client cannot choose these ids.
    const ofNodes = keysOf(
      "'7919'",
      integers.map((integer) => `'${integer}'`),
    );
    for (const members of [integers, doubles.map(String)]) {
      expect(keysOf(members[1] as string, members) - ofNodes).toBeLessThan(FEW);
    }
  },
);
