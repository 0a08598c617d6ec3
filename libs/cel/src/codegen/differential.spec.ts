import { Float, LATEST_MINOR, newJsonObject } from '#kube';
import { expect, it } from 'vitest';
import { environmentFor } from '../kubernetes-environment.ts';
import { NONE } from '../runtime/optional-none.ts';
import { CelError, Optional } from '../runtime/value.ts';
import { formatValue } from '../runtime/format-value.ts';
import { wrapValue } from '../runtime/wrap.ts';
import { compile } from '../testing/compile-fixture.ts';
import { RANDOM_SCHEMA, RandomExpressions } from '../testing/random-expressions.ts';
import { schemaOf } from '../testing/schema-fixture.ts';
import type { JsonObject, JsonValue, Minor } from '#kube';
import type { CelValue } from '../runtime/value.ts';
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
    names: ['b', 'a'],
    m: object({ a: 1, b: 2 }),
    o: object({ i: 1, s: 'a' }),
    os: [object({ i: 1, s: 'a' }), object({ s: 'b' }), object({ i: 0 })],
  }),
  object({
    i: 0,
    j: 0,
    d: new Float(2),
    s: '',
    b: false,
    port: 'x',
    is: [],
    ss: [],
    names: ['b', 'b', 'a'],
    m: object({}),
    o: object({}),
    os: [],
  }),
  object({ i: 9007199254740993n, d: 1, s: null, is: [9007199254740993n], m: object({ constructor: 1, a: null }), os: [[], null] }),
  object({ i: 'x', is: 5, o: [], os: [new Float(5), object({ i: new Float(1) })], m: [] }),
  object({ is: Array.from({ length: 250 }, (_, i) => i), os: Array.from({ length: 120 }, (_, i) => object({ i, s: `n${i}` })) }),
];

const schema = schemaOf(RANDOM_SCHEMA);
const text = ({ value, cost }: Evaluation): string => `${value instanceof CelError ? value.message : formatValue(value)} at ${cost}`;

/** Minors whose values follow different rules. */
const MINORS: readonly Minor[] = [LATEST_MINOR, '1.30', LATEST_MINOR, '1.34'];
const OLD_SELF = ['plain', 'optional', 'unmentioned'] as const;

function run(program: Program, raw: JsonObject, old: CelValue | undefined, costLimit: number): string {
  return text(program.evaluate({ self: wrapValue(raw, schema), oldSelf: old }, { costLimit, token: undefined }));
}

it(`agrees with the interpreter in value, error and cost on ${EXPRESSIONS} random expressions`, { timeout: 600_000 }, () => {
  const random = OLD_SELF.map((oldSelf) => new RandomExpressions(20260721, oldSelf));
  let generated = 0;
  let expressions = 0;
  for (let n = 0; n < EXPRESSIONS; n++) {
    const minor = MINORS[n % MINORS.length]!;
    const mention = OLD_SELF[n % OLD_SELF.length]!;
    const rule = random[n % OLD_SELF.length]!.of(n % 4 === 0 ? 'int' : 'bool', 1 + (n % 5));
    const oldSelf = mention === 'optional' ? 'optional' : 'plain';
    const options = { oldSelf, environment: environmentFor(minor, 'stored') } as const;
    const compiled = compile(rule, RANDOM_SCHEMA, { ...options, engine: 'compiled' });
    const interpreted = compile(rule, RANDOM_SCHEMA, { ...options, engine: 'interpreted' });
    if (!compiled.ok || !interpreted.ok) {
      // A conversion of a constant that fails makes no program; anything else would be a mistake of ours.
      if (!compiled.ok && compiled.kind === 'program') continue;
      throw new Error(`${rule}: ${compiled.ok ? '' : compiled.error}`);
    }
    if (minor === LATEST_MINOR) {
      expressions++;
      if (compiled.program.engine === 'compiled') generated++;
    }
    for (const [i, raw] of OBJECTS.entries()) {
      const limit = n % 7 === 0 ? 40 : 1_000_000;
      const old = wrapValue(OBJECTS[(i * 5 + 1) % OBJECTS.length]!, schema);
      const given = oldSelf === 'plain' ? old : i % 3 === 0 ? NONE : new Optional(old);
      const ours = run(compiled.program, raw, given, limit);
      const reference = run(interpreted.program, raw, given, limit);
      if (ours !== reference) expect(`${minor}: ${rule} on object ${i}: ${ours}`).toBe(`${minor}: ${rule} on object ${i}: ${reference}`);
    }
  }
  expect(generated / expressions).toBeGreaterThan(COMPILED_SHARE);
});
