import { describe, expect, it } from 'vitest';
import { compileRegex } from './regex.ts';

/** Verdicts and texts as printed by Go's regexp package. */
const REJECTED: readonly (readonly [pattern: string, error: string])[] = [
  ['(', 'error parsing regexp: missing closing ): `(`'],
  ['a**', 'error parsing regexp: invalid nested repetition operator: `**`'],
  ['[z-a]', 'error parsing regexp: invalid character class range: `z-a`'],
  ['a{1001}', 'error parsing regexp: invalid repeat count: `{1001}`'],
  ['(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
  ['\\', 'error parsing regexp: trailing backslash at end of expression: ``'],
  ['\\8', 'error parsing regexp: invalid escape sequence: `\\8`'],
];

describe('compileRegex', () => {
  it.each(REJECTED)('rejects %s', (pattern, error) => {
    expect(compileRegex(pattern)).toEqual({ ok: false, error });
  });

  it.each(['(?<n>a)', '(?P<n>a)(?P<n>b)', 'a{,2}', '[[:alpha:]]', '\\pL', '\\Q(\\E'])('accepts %s', (pattern) => {
    expect(compileRegex(pattern).ok).toBe(true);
  });

  it('finds as Go does', () => {
    const result = compileRegex('a*');
    if (!result.ok) throw new Error(result.error);
    expect(result.regex.findAll('baaac', -1)).toEqual(['', 'aaa', '']);
    expect(result.regex.findAll('baaac', 1)).toEqual(['']);
    expect(result.regex.find('baaac')).toBe('');
  });

  it('matches code points', () => {
    const result = compileRegex('^.$');
    expect(result.ok && result.regex.test('😀')).toBe(true);
  });
});
