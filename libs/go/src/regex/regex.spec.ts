import { describe, expect, it } from 'vitest';
import { compileRegex } from './regex.ts';

const TOO_DEEP = '('.repeat(1001) + ')'.repeat(1001);

/** Invalid patterns, with the error texts that Go's regexp package prints. */
const REJECTED: readonly (readonly [pattern: string, error: string])[] = [
  ['(', 'error parsing regexp: missing closing ): `(`'],
  ['a**', 'error parsing regexp: invalid nested repetition operator: `**`'],
  ['[z-a]', 'error parsing regexp: invalid character class range: `z-a`'],
  ['a{1001}', 'error parsing regexp: invalid repeat count: `{1001}`'],
  ['(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
  ['\\', 'error parsing regexp: trailing backslash at end of expression: ``'],
  ['\\8', 'error parsing regexp: invalid escape sequence: `\\8`'],
  // Go ignores underscores in class names, so it never finds this script.
  ['a\\p{Old_Italic}', 'error parsing regexp: invalid character class range: `\\p{Old_Italic}`'],
  ['\\p{Emoji}', 'error parsing regexp: invalid character class range: `\\p{Emoji}`'],
  ['[\\p{ lu}', 'error parsing regexp: missing closing ]: `[\\p{ lu}`'],
  ['(?i\\p{Letter})', 'error parsing regexp: invalid or unsupported Perl syntax: `(?i\\`'],
  ['(?P<', 'error parsing regexp: invalid or unsupported Perl syntax: `(?P`'],
  ['(?<n>a)(?<n>b', 'error parsing regexp: missing closing ): `(?<n>a)(?<n>b`'],
  [TOO_DEEP, `error parsing regexp: expression nests too deeply: \`${TOO_DEEP}\``],
];

describe('compileRegex', () => {
  it.each(REJECTED)('rejects %s', (pattern, error) => {
    expect(compileRegex(pattern)).toEqual({ ok: false, error });
  });

  it.each([
    '(?<n>a)',
    '(?P<n>a)(?P<n>b)',
    'a{,2}',
    '[[:alpha:]]',
    '\\pL',
    '\\Q(\\E',
    '\\p{Uppercase Letter}',
    '\\pl',
    '[\\P{^greek}]',
    '\\p{ascii}',
  ])('accepts %s', (pattern) => {
    expect(compileRegex(pattern).ok).toBe(true);
  });

  it('finds the matches that Go finds', () => {
    const result = compileRegex('a*');
    if (!result.ok) throw new Error(result.error);
    expect(result.regex.findAll('baaac', -1)).toEqual(['', 'aaa', '']);
    expect(result.regex.findAll('baaac', 1)).toEqual(['']);
    expect(result.regex.find('baaac')).toBe('');
  });

  it('matches code points, not UTF-16 units', () => {
    const result = compileRegex('^.$');
    expect(result.ok && result.regex.test('😀')).toBe(true);
  });
});
