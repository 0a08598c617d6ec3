import { Float, newJsonObject } from '#kube';
import { expect, it } from 'vitest';
import { CelError } from '../runtime/value.ts';
import { formatValue } from '../runtime/format-value.ts';
import { wrapValue } from '../runtime/wrap.ts';
import { compile } from '../testing/compile-fixture.ts';
import { RANDOM_SCHEMA, RandomExpressions } from '../testing/random-expressions.ts';
import { schemaOf } from '../testing/schema-fixture.ts';
import type { JsonObject, JsonValue } from '#kube';
import type { Evaluation, Program } from '../program.ts';

/** How many expressions; each is evaluated on every object. A long run sets CEL_DIFFERENTIAL. */
const EXPRESSIONS = Number(process.env['CEL_DIFFERENTIAL'] ?? 2_000);
/** Expressions up to which the generator has to know: it covers nearly all of what the random ones say. */
const COMPILED_SHARE = 0.9;

function object(entries: Readonly<Record<string, JsonValue>>): JsonObject {
  return Object.assign(newJsonObject(), entries);
}

const OBJECTS: readonly JsonObject[] = [
  object({}),
  object({
    i: 3,
    j: -2,
    d: 1.5,
    s: 'abc',
    t: 'é👑 long enough to cost more',
    b: true,
    port: 5,
    is: [1, 2, 3],
    ss: ['a', 'x1'],
    m: object({ a: 1, b: 2 }),
    o: object({ i: 1, s: 'a' }),
    os: [object({ i: 1, s: 'a' }), object({ s: 'b' }), object({ i: 0 })],
  }),
  object({ i: 0, j: 0, d: new Float(2), s: '', b: false, port: 'x', is: [], ss: [], m: object({}), o: object({}), os: [] }),
  object({ i: 9007199254740993n, d: 1, s: null, is: [9007199254740993n], m: object({ constructor: 1, a: null }), os: [[], null] }),
  object({ i: 'x', is: 5, o: [], os: [new Float(5), object({ i: new Float(1) })], m: [] }),
  object({ is: Array.from({ length: 250 }, (_, i) => i), os: Array.from({ length: 120 }, (_, i) => object({ i, s: `n${i}` })) }),
];

const schema = schemaOf(RANDOM_SCHEMA);
const text = ({ value, cost }: Evaluation): string => `${value instanceof CelError ? value.message : formatValue(value)} at ${cost}`;

function run(program: Program, raw: JsonObject, costLimit: number): string {
  return text(program.evaluate({ self: wrapValue(raw, schema) }, { costLimit, token: undefined }));
}

it(`agrees with the interpreter in value, error and cost on ${EXPRESSIONS} random expressions`, { timeout: 600_000 }, () => {
  const random = new RandomExpressions(20260721);
  let generated = 0;
  let expressions = 0;
  for (let n = 0; n < EXPRESSIONS; n++) {
    const rule = random.of(n % 4 === 0 ? 'int' : 'bool', 1 + (n % 5));
    const compiled = compile(rule, RANDOM_SCHEMA, { engine: 'compiled' });
    const interpreted = compile(rule, RANDOM_SCHEMA, { engine: 'interpreted' });
    if (!compiled.ok || !interpreted.ok) {
      // A conversion of a constant that fails makes no program; anything else would be a mistake of ours.
      if (!compiled.ok && compiled.kind === 'program') continue;
      throw new Error(`${rule}: ${compiled.ok ? '' : compiled.error}`);
    }
    expressions++;
    if (compiled.program.engine === 'compiled') generated++;
    for (const [i, raw] of OBJECTS.entries()) {
      const limit = n % 7 === 0 ? 40 : 1_000_000;
      const ours = run(compiled.program, raw, limit);
      const reference = run(interpreted.program, raw, limit);
      if (ours !== reference) expect(`${rule} on object ${i}: ${ours}`).toBe(`${rule} on object ${i}: ${reference}`);
    }
  }
  expect(generated / expressions).toBeGreaterThan(COMPILED_SHARE);
});
