import { describe, expect, it } from 'vitest';
import { joinedWords, wordsOf } from './rule-words.ts';

describe('the words of a rule', () => {
  it('are its field names, texts, numbers and patterns', () => {
    const { names, texts, numbers, patterns } = wordsOf(
      `self.mode__dash__x in ['A', "B"] && self.count < 5 && self.name.matches(r'^a\\d+$')`,
    );
    expect([...names]).toEqual(expect.arrayContaining(['mode-x', 'count', 'name', 'A', 'B']));
    expect(texts).toEqual(['A', 'B', String.raw`^a\d+$`]);
    expect([numbers, patterns]).toEqual([[5], [String.raw`^a\d+$`]]);
  });

  it('include texts that the functions of the rule can parse', () => {
    expect(wordsOf('isCIDR(self) && cidr(self).ip().family() == 4').patterns.join(' ')).toMatch(/10\[\.\].*fd00/);
    expect(wordsOf('isSemver(self)').patterns.join(' ')).toContain('-[a-z]+$');
    expect(wordsOf("self.split(' ').size() == 3 && self.split('.').size() == 3").patterns).toEqual([
      '^a a a+$',
      String.raw`^a\.a\.a+$`,
      '.',
    ]);
    expect(wordsOf("self.split('@')[0] in ['al2', 'x86']").texts).toEqual(['@', 'al2', 'x86', 'x@x', 'al2@x', 'x86@x']);
  });

  it('are empty for an invalid expression', () => {
    expect(wordsOf('"')).toEqual({ names: new Set(), texts: [], numbers: [], patterns: [] });
  });

  it('are merged for several rules, without duplicates', () => {
    expect(joinedWords([wordsOf('self.a == "x"'), wordsOf('self.b == "y" || self.b == "x"')]).texts).toEqual(['x', 'y']);
  });
});
