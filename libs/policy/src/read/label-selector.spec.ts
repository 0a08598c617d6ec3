import { describe, expect, it } from 'vitest';
import { Fields } from './fields.ts';
import { compileSelector, readLabelSelector } from './label-selector.ts';
import type { JsonValue } from '#go';

const compile = (selector: unknown) => compileSelector(readLabelSelector(new Fields(selector as JsonValue, 'selector')));
const expression = (operator: string, ...values: readonly string[]) => ({ matchExpressions: [{ key: 'env', operator, values }] });

describe('a label selector', () => {
  it.each<[selector: unknown, of: Record<string, string>, expected: boolean]>([
    [{}, {}, true],
    [{ matchLabels: { env: 'a' } }, { env: 'a', x: 'y' }, true],
    [{ matchLabels: { env: 'a', x: 'z' } }, { env: 'a', x: 'y' }, false],
    [expression('In', 'a', 'b'), { env: 'b' }, true],
    [expression('In', 'a'), {}, false],
    [expression('NotIn', 'a'), {}, true],
    [expression('NotIn', 'a'), { env: 'a' }, false],
    [expression('Exists'), { env: '' }, true],
    [expression('DoesNotExist'), { env: '' }, false],
  ])('%j matches %j: %s', (selector, labels, expected) => {
    const compiled = compile(selector);
    expect(compiled.ok && compiled.matches(new Map(Object.entries(labels)))).toBe(expected);
  });

  it.each<[selector: unknown, error: string]>([
    [expression('Like', 'a'), '"Like" is not a valid label selector operator'],
    [expression('In'), "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty"],
    [expression('Exists', 'a'), 'values: Invalid value: ["a"]: values set must be empty for exists and does not exist'],
  ])('rejects %j', (selector, error) => {
    expect(compile(selector)).toEqual({ ok: false, error });
  });
});
