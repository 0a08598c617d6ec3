import { codePointLength, compareBytes, compileRegex } from '#go';
import { describe, expect, it } from 'vitest';
import { patternTexts } from './pattern-texts.ts';
import type { Texts } from './texts.ts';

function textsOf(pattern: string): Texts {
  const texts = patternTexts(pattern);
  if (!texts.ok) throw new Error(`${pattern}: ${texts.reason}`);
  return texts.texts;
}

const first = (pattern: string, length: number, index = 0): string | undefined => textsOf(pattern).text(length, index);

describe('generated texts of a pattern', () => {
  it.each([
    ['^[a-z]+$', 5, 1, Infinity, 'aaaaa'],
    ['^a{2,4}$', 9, 2, 4, 'aaaa'],
    ['^(abc)*$', 8, 0, Infinity, 'abcabc'],
    ['^(?P<x>ab|c)d?$', 3, 1, 3, 'abd'],
    ['^(?:[a-z]{4}|b{9})*$', 12, 0, Infinity, 'aaaaaaaaaaaa'],
    ['^[^a-z0-9]{2}$', 3, 2, 2, 'AA'],
    ['^\\d\\s\\w$', 3, 3, 3, '0 a'],
    ['^[[:upper:]][[:punct:]]$', 2, 2, 2, 'A-'],
    ['^\\p{Greek}{2}$', 2, 2, 2, 'ͰͰ'],
    ['\\A\\Qa.b\\E\\z', 9, 3, 3, 'a.b'],
    ['^$|^foo$', 2, 0, 3, ''],
    ['(^$|^[a-f]{3}$)', 5, 0, 3, 'aaa'],
    ['^\\x{1F600}+$', 3, 1, Infinity, '😀😀😀'],
    ['x*^foo$y*', 9, 3, 3, 'foo'],
    ['^(^a|b)$', 1, 1, 1, 'a'],
    ['^foo\\b', 5, 3, Infinity, 'foo a'],
    ['^\\Bfoo$|bar', 3, 3, Infinity, 'bar'],
    ['(?i)^k$', 1, 1, 1, 'k'],
  ])('have the expected shortest and longest length, and the expected first text: %s at %i', (pattern, length, least, most, text) => {
    const texts = textsOf(pattern);
    expect([texts.least, texts.most, texts.text(length, 0)]).toEqual([least, most, text]);
  });

  it('are filled with other characters up to the requested length if the pattern lacks an anchor', () => {
    for (const pattern of ['foo', '^foo', 'foo$', '\\bfoo\\b', '(^|x)foo($|y)', 'a|^b$']) expect(first(pattern, 100)?.length).toBe(100);
  });

  it('are filled with repeated matches up to the requested length if the pattern has anchors', () => {
    expect(first('^[a-z]([a-z-]*[a-z])?(\\.[a-z]+)*$', 300)?.length).toBe(300);
    expect(first('^([a-z]{1,63}\\.){0,3}[a-z]{1,63}$', 300)?.length).toBe(255);
    expect(first('^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$', 300)?.length).toBe(300);
  });

  it('differ as long as there are different texts, and then repeat', () => {
    const all = (pattern: string, length: number, count: number): number =>
      new Set(Array.from({ length: count }, (_, index) => first(pattern, length, index))).size;
    expect(all('^(?i)(Disabled|On)?$', 300, 1000)).toBe(2 ** 8 + 2 ** 2 + 1);
    expect(all('^(Always|Never|IfNotPresent)$', 300, 10)).toBe(3);
    expect(all('^[ab]{3}$', 300, 10)).toBe(8);
    expect(all('^([a-c]|a|[cd]|(d|e))$', 300, 10)).toBe(5);
    expect(all('^a*$', 20, 100)).toBe(21);
    expect(all('^[a-z]+$', 20, 5000)).toBe(5000);
    expect(textsOf('^(Always|Never|IfNotPresent)$').distinct(6)).toBe(2);
    expect(first('^(true|false)$', 9, 2)).toBe(first('^(true|false)$', 9, 0));
  });

  it.each([
    ['^[a-z]([-a-z0-9]*[a-z0-9])?$', 12, 3000],
    ['^[a-z0-9.-]+/[a-z]+$', 30, 3000],
    ['^[A-Za-z0-9]{2}$', 2, 62 ** 2],
    ['^[0-9a-f]{3}$', 9, 16 ** 3],
  ])('are in rising byte order: %s', (pattern, length, count) => {
    const texts = Array.from({ length: count }, (_, index) => first(pattern, length, index + 1) ?? '').slice(0, count - 1);
    expect(new Set(texts).size).toBe(count - 1);
    expect(texts).toEqual(texts.toSorted(compareBytes));
  });

  it('match the pattern', () => {
    for (const pattern of ['\\bx\\b', '^\\w+\\b.*$', '[^a]\\B[^b]', '(?m)^foo$', '(a|^)b(c|$)', '.{3,5}']) {
      const compiled = compileRegex(pattern);
      for (const length of [0, 1, 2, 5, 30]) {
        for (const index of [0, 1, 77]) {
          const text = first(pattern, length, index) ?? '';
          expect(compiled.ok && compiled.regex.test(text), `${pattern} ${text}`).toBe(true);
          expect(codePointLength(text)).toBeLessThanOrEqual(Math.max(length, textsOf(pattern).least));
        }
      }
    }
  });

  it('are replaced by a reason if the pattern is invalid or no match exists', () => {
    expect(patternTexts('(')).toEqual({ ok: false, reason: 'not a pattern' });
    expect(patternTexts('^(?!a)b$')).toEqual({ ok: false, reason: 'not a pattern' });
    expect(patternTexts('a^b$c')).toEqual({ ok: false, reason: 'no match found' });
    expect(patternTexts('[^\\s\\S]')).toEqual({ ok: false, reason: 'no match found' });
  });

  it('have a million code points after at most 2 s', () => {
    for (const pattern of ['^[a-z]+$', '^([a-z]{1,63}\\.)*[a-z]+$', '^(a|b|[0-9]{3})*$', 'foo', '^(?:\\p{L}+ ?)+$']) {
      const texts = textsOf(pattern);
      const start = performance.now();
      expect(texts.text(1_000_000, 3)?.length).toBe(1_000_000);
      // This takes about 30 ms, but the machine may be busy.
      expect(performance.now() - start, pattern).toBeLessThan(2000);
    }
    expect(first('^[a-z]+$', Infinity)?.length).toBe(1_500_000);
  });

  it('take a bounded time for deeply nested and for wide patterns', () => {
    const nested = `^${'('.repeat(60)}a?${')*'.repeat(60)}$`;
    const wide = `^(${Array.from({ length: 2000 }, (_, i) => `x${i}`).join('|')})*$`;
    const deep = `^${'(?:'.repeat(40)}[a-c]{1,2}${'|b)+'.repeat(40)}$`;
    for (const pattern of [nested, wide, deep, '^((a{0,30}){0,30})$', '^(([ab]{1,2}){1,3}){1,100}$']) {
      const start = performance.now();
      expect(first(pattern, 10_000, 5), pattern).toBeDefined();
      expect(performance.now() - start, pattern).toBeLessThan(3000);
    }
  });
});
