import { describe, expect, it } from 'vitest';
import type { Minor } from '#kube';
import { environmentFor } from '../../language/environment.ts';
import { compile } from '../../testing/compile-fixture.ts';
import { formatValue } from '../../values/format-value.ts';
import { CelError } from '../../values/value.ts';

function run(text: string, minor: Minor): string {
  const compiled = compile(text, { type: 'string' }, { environment: environmentFor(minor, 'stored') });
  if (!compiled.ok) throw new Error(compiled.error);
  const { value } = compiled.program.evaluate({ self: '' }, { costLimit: 1_000_000, token: undefined });
  return value instanceof CelError ? `error: ${value.message}` : formatValue(value);
}

/** Expressions whose result is different since Kubernetes 1.38, with the results of the oracles of 1.37 and 1.38.0-beta.0. */
const CHANGED: readonly (readonly [text: string, before: string, since: string])[] = [
  ["quantity('1234567890123456789').isInteger()", 'false', 'true'],
  ["quantity('-9223372036854775808').asInteger() < 0", 'error: cannot convert value to integer', 'true'],
  ["quantity('0e400').asApproximateFloat() == 0.0", 'false', 'true'],
  ["quantity('1e30').add(quantity('1n')).sub(quantity('1e30')) == quantity('1n')", 'true', 'false'],
];

describe('quantities in CEL', () => {
  it.each(CHANGED)('%s is %s, and %s since 1.38', (text, before, since) => {
    expect([run(text, '1.37'), run(text, '1.38')]).toEqual([before, since]);
  });

  it('rejects the smallest exponent since 1.38', () => {
    expect(run("isQuantity('1e-2147483648')", '1.38')).toBe('false');
    expect(run("quantity('1e-2147483648') == quantity('1n')", '1.38')).toBe("error: unable to parse quantity's suffix");
  });
});
