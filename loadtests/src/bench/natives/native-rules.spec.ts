import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '#cel';
import { nameOf, NATIVE_CASES, ruleOf } from './native-rules.ts';

/** Libraries that rules of definitions do not have. Their functions copy names, and ask the caller of the library. */
const OF_POLICIES: ReadonlySet<string> = new Set(['kubernetes.authz', 'kubernetes.authzSelectors']);

const growing = FUNCTIONS.filter(({ library }) => !OF_POLICIES.has(library)).flatMap(({ overloads }) =>
  overloads.filter(({ growth, replacedIn }) => growth !== undefined && growth.power > 0 && replacedIn === undefined).map(({ id }) => id),
);

describe('the benchmark of native functions', () => {
  it('has a case for each function whose work grows with its data', () => {
    const measured = new Set(NATIVE_CASES.flatMap(({ overloads }) => overloads));
    expect(growing.filter((id) => !measured.has(id))).toEqual([]);
  });

  it('gives each case a unique name', () => {
    const names = NATIVE_CASES.map(nameOf);
    expect(names.filter((name, i) => names.indexOf(name) < i)).toEqual([]);
  });

  it.each(NATIVE_CASES)('calls in each case the functions that the case names: $rule', (one) => {
    const references = [...(ruleOf(one, 'measured').rule.checked?.references.values() ?? [])];
    const called = new Set(references.flatMap(({ overloads }) => overloads.map(({ id }) => id)));
    expect(one.overloads.filter((id) => !called.has(id))).toEqual([]);
  });
});
