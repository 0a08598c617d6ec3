import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { MatchFinder } from './match-finder.ts';
import { programOf } from './regex-program.ts';
import type { Re2Program } from './regex-program.ts';
import { compileRegex } from './regex.ts';

/**
 * Patterns for tests of match lengths and anchors. In some patterns, the order of alternatives determines the length of a match. In others,
 * a match depends on the beginning or end of the text.
 */
const PATTERNS = [
  '',
  '^([^/]+)',
  'a|ab',
  'ab|a',
  '(a|ab)(c|bcd)?',
  'a*?',
  'a+?b*',
  '(?:a|b)*?c',
  'a*',
  'a$|ab',
  '$|b',
  '^a|b$',
  '^$',
  '(a*)*b?',
  '(?i)k+',
  '[^\\n]+',
  'x{2,4}?',
  '(?:x{2,4}y?|x)',
  '\\pL{2,3}',
  '😀|é',
  '.',
  '(?s).+$',
];
const ALPHABET = ['a', 'b', 'c', 'd', 'x', 'y', 'k', '\u212a', '/', '\n', 'é', '😀'];

function finderOf(pattern: string): MatchFinder {
  const finder = MatchFinder.of(programOf((RE2JS.compile(pattern).re2() as unknown as { prog: Re2Program }).prog));
  if (!finder) throw new Error(`no automaton for ${pattern}`);
  return finder;
}

describe('MatchFinder', () => {
  it.each(PATTERNS)('finds the same matches of %j as the general engine', (pattern) => {
    const finder = finderOf(pattern);
    const engine = RE2JS.compile(pattern);
    let seed = 11;
    const random = (below: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
    for (let i = 0; i < 1000; i++) {
      const text = Array.from({ length: random(10) }, () => ALPHABET[random(ALPHABET.length)]).join('');
      const matcher = engine.matcher(text);
      const expected = matcher.find() ? { start: matcher.start(), end: matcher.end() } : 'none';
      expect([text, finder.find(text, 0)]).toEqual([text, expected]);
    }
  });

  it('leaves a text to the general engine if the search would take quadratic time', () => {
    const pattern = 'a+b|c';
    expect(finderOf(pattern).find('a'.repeat(1000), 0)).toBe('unknown');
    const result = compileRegex(pattern);
    expect(result.ok && [result.regex.find(`${'a'.repeat(1000)}c`), result.regex.findAll(`${'a'.repeat(1000)}c`, -1)]).toEqual([
      'c',
      ['c'],
    ]);
  });

  it('leaves word boundaries to the general engine', () => {
    const result = compileRegex('\\bx');
    expect(result.ok && result.regex.findAll('x ax x', -1)).toEqual(['x', 'x']);
  });

  it('searches only at the beginning for an anchored pattern', () => {
    expect(finderOf('^([^/]+)').isAnchored).toBe(true);
    expect(finderOf('a|^b').isAnchored).toBe(false);
  });
});
