import { CancellationFlag, newJsonObject } from '#go';
import { expect, it } from 'vitest';
import { CelError } from '../../values/value.ts';
import { wrapValue } from '../../values/wrap.ts';
import { compile, schemaOf } from '../../testing/compile-fixture.ts';
import type { SchemaFixture } from '../../testing/compile-fixture.ts';
import type { JsonObject } from '#go';

const SIZE = 3_000;
const row: SchemaFixture = { type: 'object', properties: { n: { type: 'integer' } } };
const fixture: SchemaFixture = {
  type: 'object',
  properties: {
    ints: { type: 'array', items: { type: 'integer' } },
    same: { type: 'array', items: { type: 'integer' } },
    strs: { type: 'array', items: { type: 'string' } },
    rows: { type: 'array', items: row },
    sameRows: { type: 'array', items: row },
    set: { type: 'array', listType: 'set', items: { type: 'string' } },
    map: { type: 'object', additionalProperties: { type: 'integer' } },
  },
};

const made = (entries: Readonly<Record<string, JsonObject[string]>>): JsonObject => Object.assign(newJsonObject(), entries);
const ints = Array.from({ length: SIZE }, (_, i) => i);
const strs = ints.map((i) => `s${String(i).padStart(5, '0')}`);
const self = wrapValue(
  made({
    ints,
    same: [...ints],
    strs,
    rows: ints.map((n) => made({ n })),
    sameRows: ints.map((n) => made({ n })),
    set: strs,
    map: made(Object.fromEntries(strs.map((key, i) => [key, i]))),
  }),
  schemaOf(fixture),
);

/** A token that is cancelled before the evaluation begins. Code stops when it checks this token. */
const CANCELLED = new CancellationFlag();
CANCELLED.cancel();
const limits = { costLimit: Number.MAX_SAFE_INTEGER, token: CANCELLED };

/** Expressions whose work grows with lists and is not done by a single call of a JavaScript built-in. */
const LONG: readonly string[] = [
  'self.ints.all(e, e >= 0)',
  'self.ints.exists(e, e < 0)',
  'self.ints.exists_one(e, e == 3)',
  'self.ints.map(e, e).size() > 0',
  'self.ints.map(e, e).sort().size() > 0',
  'self.ints.map(e, e).sum() > 0',
  'self.ints.map(e, e).max() > 0',
  'self.ints.filter(e, e > 5).size() > 0',
  'self.map.all(k, k != "")',
  'self.ints.transformMap(i, v, v).size() > 0',
  'self.map.transformMapEntry(k, v, {k: v}).size() > 0',
  'dyn(self.ints).all(e, e == e)',
  'self.ints == self.same',
  'dyn(self.rows) == dyn(self.sameRows)',
  'dyn(self.rows) != dyn(self.sameRows)',
  '{"a": dyn(self.rows)} == {"a": dyn(self.sameRows)}',
  '(self.set + self.strs).size() > 0',
  'self.rows[0] in self.rows.reverse() && false',
  'dyn("x") in self.rows',
  'self.ints.sort().size() > 0',
  'self.strs.sort().size() > 0',
  'self.rows.sortBy(r, r.n).size() > 0',
  'self.ints.distinct().size() > 0',
  'self.rows.distinct().size() > 0',
  'self.ints.reverse().size() > 0',
  'self.ints.slice(0, 2999).size() > 0',
  '[self.ints, self.same].flatten().size() > 0',
  'lists.range(2999).size() > 0',
  'self.ints.isSorted()',
  'self.strs.isSorted()',
  'self.ints.sum() > 0',
  'self.ints.max() > 0',
  'self.ints.min() == 0',
  'self.strs.max() > "a"',
  'self.ints.indexOf(-1) == -1',
  'self.rows.lastIndexOf(self.rows[0]) == 0',
  'self.strs.join(",") != ""',
  '"%s".format([self.ints]) != ""',
  'sets.contains(self.ints, self.same)',
  'sets.equivalent(dyn(self.rows), dyn(self.sameRows))',
  'sets.intersects(self.ints, [-1])',
];

it.each(LONG)('generated and interpreted code of %s stops when the caller cancels the evaluation', (rule) => {
  for (const engine of ['compiled', 'interpreted'] as const) {
    const compiled = compile(rule, fixture, { engine });
    if (!compiled.ok) throw new Error(compiled.error);
    expect(compiled.program.engine).toBe(engine);
    const { value } = compiled.program.evaluate({ self }, limits);
    expect(value).toEqual(new CelError('operation interrupted', 'interrupted'));
  }
});
