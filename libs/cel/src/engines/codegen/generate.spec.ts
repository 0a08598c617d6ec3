import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#go';
import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import { environmentFor } from '../../language/environment.ts';
import { compile, declaredOf, schemaOf } from '../../testing/compile-fixture.ts';
import type { SchemaFixture } from '../../testing/compile-fixture.ts';
import { RANDOM_SCHEMA, RandomExpressions } from '../../testing/random-expressions.ts';
import { FITTING_OBJECT, RANDOM_OBJECTS } from '../../testing/random-objects.ts';
import { EvaluationPanic } from '../../values/value.ts';
import { wrapValue } from '../../values/wrap.ts';
import { planProgram } from '../plan-program.ts';
import type { PriceCode, Program } from '../program.ts';
import { generatePrice } from './generate.ts';

/** Number of random expressions. For longer runs, set CEL_DIFFERENTIAL to another number. */
const EXPRESSIONS = Number(process.env['CEL_DIFFERENTIAL'] ?? 1_500);
const SEED = Number(process.env['CEL_DIFFERENTIAL_SEED'] ?? 20260817);
const LIMIT = 20_000;
const environment = environmentFor(LATEST_MINOR, 'stored');

/** Schema of valid objects for the tests. Some fields are present in all these objects, because they are required or have a default. */
const VALID_SCHEMA: SchemaFixture = {
  ...RANDOM_SCHEMA,
  required: ['i', 's', 't', 'is', 'o', 'm', 'none'],
  properties: {
    ...RANDOM_SCHEMA.properties,
    none: { type: 'string', nullable: true },
    j: { type: 'integer', default: 4 },
    ss: { type: 'array', items: { type: 'string' }, default: [] },
  },
};

const plain = { ...FITTING_OBJECT, t: 'long enough to cost more' } as JsonObject;
const least = Object.fromEntries(['i', 'j', 's', 't', 'is', 'ss', 'o', 'm'].map((name) => [name, FITTING_OBJECT[name]]));
const long: JsonObject = { ...plain, ...RANDOM_OBJECTS.at(-1) };
const VALID_OBJECTS = [plain, { ...least, t: '', s: 'a/b.c' } as JsonObject, long];

function programOf(rule: string, fixture: SchemaFixture): Program | undefined {
  const interpreted = compile(rule, fixture, { environment, engine: 'interpreted' });
  if (!interpreted.ok) return undefined;
  const planned = planProgram(() => interpreted.checked, environment, { kind: 'rule', self: declaredOf(fixture) }, nodeEngine('adaptive'));
  return planned.ok ? planned.program : undefined;
}

function priceOf(code: PriceCode, self: JsonObject): number | undefined {
  code.run.begin(undefined);
  try {
    const price = code.price(self, LIMIT, { cancelled: false }, code.run, ...code.fields.map((name) => self[name]));
    return price !== undefined && price <= LIMIT ? price : undefined;
  } catch (thrown) {
    if (thrown instanceof EvaluationPanic) return undefined;
    throw thrown;
  }
}

/** Returns the generated source of a rule, or the reason why no code can be generated. */
function sourceOf(rule: string): string {
  const compiled = compile(rule, VALID_SCHEMA, { environment, engine: 'interpreted' });
  if (!compiled.ok) throw new Error(compiled.error);
  const generated = generatePrice(compiled.checked, environment, declaredOf(VALID_SCHEMA));
  return generated.ok ? generated.source : generated.obstacle;
}

describe('generatePrice', () => {
  it("gives the interpreter's cost if a random rule is true, and no cost otherwise", { timeout: 7_200_000 }, () => {
    const random = new RandomExpressions(SEED);
    const schema = schemaOf(VALID_SCHEMA);
    const count = { true: 0, priced: 0, untrue: 0 };
    for (let n = 0; n < EXPRESSIONS; n++) {
      const rule = random.of('bool', 1 + (n % 5));
      const program = programOf(rule, VALID_SCHEMA);
      const code = program?.codeFor?.('valid');
      if (program === undefined || code === undefined) continue;
      for (const [at, self] of VALID_OBJECTS.entries()) {
        const { value, cost } = program.evaluate(
          { self: wrapValue(self, schema), oldSelf: undefined },
          { costLimit: LIMIT, token: undefined },
        );
        const price = priceOf(code, self);
        count[value === true ? 'true' : 'untrue'] += 1;
        if (price === undefined) continue;
        count.priced += 1;
        expect({ rule, at, price }).toEqual({ rule, at, price: value === true ? cost : 'none, as it is not true' });
      }
    }
    expect(count.priced).toBeGreaterThan(1000);
    expect(count.untrue).toBeGreaterThan(1000);
    // A price is missing only for integers beyond the safe range, which are rare.
    expect(count.priced / count.true).toBeGreaterThan(0.95);
  });

  it.each([
    ['tests no type', "self.s == 'abc'", 'typeof'],
    ['does not look whether a required field is there', "self.s == 'abc'", 'undefined ||'],
    ['does not look whether a field with a default is there', 'self.ss.size() < 5', 'undefined ||'],
    ['reads no field of self by itself', "self.s == 'abc' && has(self.b)", 'self['],
  ])('generates code that %s', (_, rule, text) => {
    expect(sourceOf(rule)).not.toContain(text);
  });

  it('generates no code that counts code points for comparisons and searches of texts', () => {
    expect(sourceOf("self.s == self.t && size(self.s) == 3 && self.s.contains('a')")).not.toMatch(/k\d+\(/);
  });

  it.each([
    ['a field that may be absent', 'self.b', 'undefined'],
    ['an integer, which may be a float', 'self.i > 0', 'isInteger'],
    ['a required field that may be null', "self.none == 'a'", 'undefined ||'],
    ['the type of a list that may be null', "self.maybe.all(m, m != '')", 'typeof'],
  ])('generates code that checks %s', (_, rule, text) => {
    expect(sourceOf(rule)).toContain(text);
  });

  it('generates code that reads a field of an element only once', () => {
    expect(sourceOf("self.os.all(o, has(o.s) ? o.s != 'a' : true)").match(/const found\d+ = item\d+\[/g)).toHaveLength(1);
  });

  it('gives no cost for a rule that is never true', () => {
    const code = programOf('self.i / 0 == 1', VALID_SCHEMA)?.codeFor?.('valid');
    expect(code && priceOf(code, plain)).toBeUndefined();
  });
});
