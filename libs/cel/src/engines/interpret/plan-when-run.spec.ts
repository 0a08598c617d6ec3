import { LATEST_MINOR, MINORS } from '#kube';
import { describe, expect, it } from 'vitest';
import { declaredOf } from '../../testing/compile-fixture.ts';
import { RANDOM_SCHEMA, RandomExpressions } from '../../testing/random-expressions.ts';
import { analyzeRule } from '../../checked-rules.ts';
import { environmentFor } from '../../language/environment.ts';
import { planInterpreted } from './plan.ts';
import { canFailToPlan } from './plan-when-run.ts';
import type { Minor } from '#kube';

/**
 * Plans an expression and compares this with the prediction. `fails` is true if planning fails, and `canFail` is the result of
 * `canFailToPlan`. Returns undefined if the checker reports errors.
 */
function plansOf(text: string, minor: Minor): { readonly fails: boolean; readonly canFail: boolean } | undefined {
  const environment = environmentFor(minor, 'stored');
  const { analysis } = analyzeRule(text, declaredOf(RANDOM_SCHEMA), 'plain', environment);
  if (!analysis.ok) return undefined;
  const { checked } = analysis;
  return { fails: !planInterpreted(checked, environment).ok, canFail: canFailToPlan(checked, environment) };
}

/** Constant parts of expressions for which planning fails, and similar parts for which it succeeds. */
const PARTS = [
  "int('x')",
  "uint('-1')",
  "bool('maybe')",
  "duration('1')",
  "timestamp('x')",
  "duration(string('1x'))",
  'int(string(1))',
  "'a'.matches('(' + '')",
  "'a'.matches(string('('))",
  "'a'.find('a')",
  "{'a': 1}[string('a')]",
  "{1: 1}[int('x')]",
  "[1][int('0')]",
  '[1][dyn(null)]',
  '{1: 2}[1u]',
  'duration == int',
  '[type(1)].exists(t, t == int)',
  'type(1) == int',
  "duration('1s') in [duration('1s')]",
  'string([1] == [1])',
  'string(1 in [])',
];

describe('planning a part of an expression only when the part runs', () => {
  it.each(PARTS)('is not allowed if the planning of %s may fail', (part) => {
    for (const minor of MINORS) {
      const found = plansOf(`dyn(${part}) != null`, minor);
      if (found?.fails === true) expect(found.canFail, minor).toBe(true);
    }
  });

  it('is tested with more than 6 parts whose planning fails', () => {
    const failing = PARTS.filter((part) => plansOf(`dyn(${part}) != null`, LATEST_MINOR)?.fails === true);
    expect(failing.length).toBeGreaterThan(6);
  });

  it('hides no planning error of a random expression', () => {
    const random = new RandomExpressions(20261124, 'plain');
    let waiting = 0;
    for (let i = 0; i < 2000; i++) {
      const text = random.of(i % 2 === 0 ? 'bool' : 'dyn', 4);
      const found = plansOf(text, MINORS[i % MINORS.length] as Minor);
      if (found?.canFail !== false) continue;
      waiting++;
      expect(found.fails, text).toBe(false);
    }
    expect(waiting).toBeGreaterThan(500);
  });
});
