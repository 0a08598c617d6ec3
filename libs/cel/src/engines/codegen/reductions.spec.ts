import { Float, newJsonObject } from '#go';
import { describe, expect, it } from 'vitest';
import { formatValue } from '../../values/format-value.ts';
import { CelError } from '../../values/value.ts';
import { wrapValue } from '../../values/wrap.ts';
import { compile, generateFor, schemaOf } from '../../testing/compile-fixture.ts';
import type { SchemaFixture } from '../../testing/compile-fixture.ts';
import type { JsonValue } from '#go';

const fixture: SchemaFixture = {
  type: 'object',
  properties: {
    ints: { type: 'array', items: { type: 'integer' } },
    rows: {
      type: 'array',
      items: { type: 'object', properties: { n: { type: 'integer' }, d: { type: 'number' }, s: { type: 'string' } } },
    },
    lists: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
    map: { type: 'object', additionalProperties: { type: 'integer' } },
  },
};

const made = (members: Readonly<Record<string, JsonValue>>): JsonValue => Object.assign(newJsonObject(), members);
const long = Array.from({ length: 250 }, (_, i) => (i * 37) % 101);
const rowOf = (n: number): JsonValue => made({ n, d: new Float(n / 4), s: `s${n}` });

const OBJECTS: Readonly<Record<string, JsonValue>> = {
  ordinary: made({ ints: [3, 1, 2], rows: [3, 1, 2].map(rowOf), lists: [[1, 2], [], [5]], map: made({ a: 4, b: 5 }) }),
  long: made({ ints: long, rows: long.map(rowOf), lists: [long, long], map: made({ a: 4 }) }),
  empty: made({ ints: [], rows: [], lists: [[], []], map: made({}) }),
  'without members': made({ ints: [1, 0, 2], rows: [rowOf(1), made({ s: 'x' }), made({ n: 2 })], lists: [[0]], map: made({}) }),
  'failing in two ways': made({
    ints: [-5, -3],
    rows: [rowOf(0), made({ s: 'x' }), rowOf(-3)],
    lists: [[-2], [-1, 7]],
    map: made({ a: 0 }),
  }),
  negative: made({ ints: [-5, -3], rows: [rowOf(-4), rowOf(-3)], lists: [[-2], [-1]], map: made({ a: -1 }) }),
  // No float64 equals 2^53 + 1. So the intermediate results of a sum matter, not only its final value.
  'beyond the safe range': made({
    ints: [2 ** 53 - 1, 2, -5],
    rows: [rowOf(2 ** 53 - 1), rowOf(2), rowOf(-5)],
    lists: [[9007199254740993n, 1]],
    map: made({ a: 9223372036854775807n }),
  }),
  'signed zero': made({ ints: [0], rows: [made({ n: 0, d: new Float(-0) })], lists: [], map: made({}) }),
  'of wrong types': made({ ints: [1, 'x'], rows: [5, made({ n: 'x' })], lists: [3], map: made({ a: 'x' }) }),
  'with nulls': made({ ints: [1, null], rows: [null, made({ n: null })], lists: [null], map: made({ a: null }) }),
};

/** Calls whose only operand is a list from a macro such as `map`. The generated code of these calls does not build the list. */
const REDUCED: readonly string[] = [
  'self.rows.map(r, r.n).sum()',
  'self.rows.map(r, r.n > 1, r.n * 2).sum()',
  'self.rows.map(r, r.d).sum()',
  'self.rows.map(r, 10 / r.n).sum()',
  'self.rows.map(r, r.n > 0 && r.s != "", r.n % r.n).sum()',
  'self.rows.map(r, r.n).max()',
  'self.rows.map(r, r.n).min()',
  'self.rows.map(r, r.n != 2, r.n).min()',
  'self.rows.map(r, r.n).isSorted()',
  'self.ints.filter(e, e > 1).isSorted()',
  'self.rows.map(r, 7).sum()',
  'self.rows.map(r, 9223372036854775807).max()',
  'self.rows.map(r, 9223372036854775807).sum()',
  'self.ints.map(e, e == 1 ? 1.5 : double(e)).sum()',
  'self.rows.filter(r, r.n > 1).size()',
  'size(self.rows.filter(r, true))',
  'self.rows.map(r, has(r.n)).size()',
  'self.lists.map(l, l.map(e, e + 1).sum()).sum()',
  'self.lists.filter(l, l.filter(e, e > 1).size() > 1).size()',
  'self.map.map(k, self.map[k]).sum()',
  'self.map.transformList(k, v, v > 4, v).sum()',
  'self.rows.map(r, r.n).sum() / self.rows.filter(r, r.n > 2).size()',
];

describe.each(REDUCED)('generated code for %s', (rule) => {
  it('creates no list for the inner macro', () => {
    const generated = generateFor(rule, fixture);
    expect(generated).toMatchObject({ ok: true });
    expect(generated.ok && generated.source).not.toMatch(/\.push\(|new Array\(/);
  });

  it.each(Object.entries(OBJECTS))("gives the interpreter's value, error and cost if values are %s", (_, object) => {
    const self = wrapValue(object, schemaOf(fixture));
    const [ours, reference] = (['compiled', 'interpreted'] as const).map((engine) => {
      const compiled = compile(rule, fixture, { engine });
      if (!compiled.ok) throw new Error(compiled.error);
      expect(compiled.program.engine).toBe(engine);
      return [1_000_000, 1200, 60, 20, 3].map((costLimit) => {
        const { value, cost } = compiled.program.evaluate({ self }, { costLimit, token: undefined });
        return `${value instanceof CelError ? value.message : formatValue(value)} at ${cost}`;
      });
    });
    expect(ours).toEqual(reference);
  });
});

/** Tests calls that need the whole list from a macro, and calls whose overload is known only at run time. */
it.each([
  'self.ints.map(e, e).sort().size()',
  'self.ints.map(e, string(e)).max()',
  'self.ints.map(e, e).indexOf(3)',
  'self.ints.map(e, duration("1s")).sum()',
  '(self.ints.map(e, e) + [1]).sum()',
])('generated code for %s creates a list for the inner macro', (rule) => {
  const generated = generateFor(rule, fixture);
  expect(generated.ok && generated.source).toMatch(/new Array\(/);
});
