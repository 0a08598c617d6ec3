import { describe, expect, it } from 'vitest';
import { maxTextLength, minMatchLength } from './match-length.ts';
import { compileRegex } from './regex.ts';

/** Returns all texts of at most `length` characters over a small alphabet. It has a letter, a sign and a line feed, for all assertions. */
function texts(length: number): string[] {
  let all = [''];
  let longest = [''];
  for (let i = 0; i < length; i++) {
    longest = longest.flatMap((text) => ['a', '-', '\n'].map((rune) => text + rune));
    all = [...all, ...longest];
  }
  return all;
}

describe('minMatchLength', () => {
  const known = texts(5);
  it.each([
    '',
    'a*',
    '^$',
    '$^',
    'a^b',
    '^a{2,4}$',
    'a$a',
    'a$|^a-',
    '(?m)a$a',
    '(?m)a$\\na',
    '(?m)^-$\\n^a',
    '\\ba',
    'a\\b-',
    'a\\Ba',
    'a\\ba',
    '-\\b-',
    '\\B\\b',
    '^\\b',
    '(?:a|^-)a^',
    '(?:a{2}){2}',
    '[^\\x00-\\x{10FFFF}]',
    '/^a$/',
    '(?s)^.-.$',
  ])('is the length of the shortest text that matches %j, among all short texts', (pattern) => {
    const compiled = compileRegex(pattern);
    if (!compiled.ok) throw new Error(compiled.error);
    const lengths = known.filter((text) => compiled.regex.test(text)).map((text) => text.length);
    const least = minMatchLength(pattern)?.length;
    // The length may be too small for characters of unknown kinds, but never too large.
    expect(least).toBeLessThanOrEqual(Math.min(Infinity, ...lengths));
    expect(least === Infinity).toBe(lengths.length === 0 && pattern !== 'a\\ba');
  });

  it('is unknown for a pattern that is invalid or too large', () => {
    expect(['(', '(?:a{1000}){1}b{1000}c{1000}d{1000}e', 'a{1001}'].map((pattern) => minMatchLength(pattern))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('maxTextLength', () => {
  it.each([
    ['^a{1,3}$', 3],
    ['^$', 0],
    ['^(a|a-a)$', 3],
    ['^a$|^-a-$', 3],
    ['^(?:a-?){2}$', 4],
    ['^(a(-a){0,2})?$', 5],
    ['\\A[a-]{2}\\z', 2],
    ['^^a$$', 1],
    ['^a{0}-$', 1],
    ['(?i)^A.$', 2],
    ['\\b^a\\b$', 1],
  ])('is the length of the longest text that matches %j, among all short texts', (pattern, longest) => {
    const compiled = compileRegex(pattern);
    if (!compiled.ok) throw new Error(compiled.error);
    const lengths = texts(6)
      .filter((text) => compiled.regex.test(text))
      .map((text) => text.length);
    expect([maxTextLength(pattern), Math.max(...lengths)]).toEqual([longest, longest]);
  });

  it.each(['a', '^a', 'a$', '^a|b$', '^a*$', '^(a|b+)$', '(?m)^a$', '^a{2,}$', '(^a)?b$', '(', 'a^b$', `^${'a'.repeat(5000)}$`])(
    'has no limit for %j',
    (pattern) => {
      expect(maxTextLength(pattern)).toBe(Infinity);
    },
  );

  it('counts a duration of the Gateway API', () => {
    expect(maxTextLength('^([0-9]{1,5}(h|m|s|ms)){1,4}$')).toBe(28);
  });
});
