import { expect, it } from 'vitest';
import { newJsonObject } from '#go';
import { LATEST_MINOR } from '#kube';
import { environmentFor } from '../../language/environment.ts';
import { wrapValue } from '../../values/wrap.ts';
import { compile, generateFor, schemaOf } from '../../testing/compile-fixture.ts';
import type { SchemaFixture } from '../../testing/compile-fixture.ts';

const fixture: SchemaFixture = { type: 'object', properties: { s: { type: 'string' }, is: { type: 'array', items: { type: 'integer' } } } };
const options = { environment: environmentFor(LATEST_MINOR, 'stored') };
const terms = (count: number): string => Array.from({ length: count }, (_, i) => `self.s != 'x${i}'`).join(' && ');

it('the interpreter runs a rule whose generated code would be longer than 30 kB', () => {
  const short = generateFor(terms(8), fixture);
  expect(short.ok && short.source.length < 30_000).toBe(true);
  expect(generateFor(terms(200), fixture)).toEqual({ ok: false, obstacle: 'too long for the optimiser' });
  const compiled = compile(terms(200), fixture, { ...options, engine: 'compiled' });
  const interpreted = compile(terms(200), fixture, { ...options, engine: 'interpreted' });
  if (!compiled.ok || !interpreted.ok) throw new Error('the rule does not compile');
  expect(compiled.program.engine).toBe('interpreted');
  expect(compiled.program.obstacle).toBe('too long for the optimiser');
  const self = wrapValue(Object.assign(newJsonObject(), { s: 'a', is: [1] }), schemaOf(fixture));
  const limits = { costLimit: 1_000_000, token: undefined };
  expect(compiled.program.evaluate({ self }, limits)).toEqual(interpreted.program.evaluate({ self }, limits));
});

it('a rule with long chains or nested macros has less than 30 kB of generated code', () => {
  const chain = `self.is${'.sortBy(x, x)'.repeat(40)}.size() > 0`;
  const nested = `self.?s${'.optMap(x, x + x)'.repeat(9)}.hasValue()`;
  for (const rule of [chain, nested]) {
    const started = process.cpuUsage();
    const generated = generateFor(rule, fixture);
    expect(generated.ok ? generated.source.length : 0).toBeLessThan(30_000);
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
  }
});
