import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { utf8Bytes } from '../bytes.ts';
import { LazyDfa } from './lazy-dfa.ts';
import { programOf } from './regex-program.ts';
import type { Re2Program } from './regex-program.ts';

const PATTERNS = [
  '',
  '^$',
  '^a*',
  'a*$',
  'a|b+c',
  '.b.',
  '[^a]$',
  '$a',
  'a^',
  '^(|x)$',
  'x{2,4}y',
  '(a+)+$',
  '(?i)kelvin',
  '(?s).\\z',
  '[[:alpha:]]_',
  '\\pL{2,3}',
  'é+',
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
];
const ALPHABET = ['a', 'b', 'c', 'x', 'y', 'k', 'K', '\u212a', '-', '.', '0', 'é', '\n', '_', '😀', 'e', 'l', 'v', 'i', 'n'];

function dfaOf(pattern: string): LazyDfa {
  const dfa = LazyDfa.of(programOf((RE2JS.compile(pattern).re2() as unknown as { prog: Re2Program }).prog));
  if (!dfa) throw new Error(`no automaton for ${pattern}`);
  return dfa;
}

describe('LazyDfa', () => {
  it.each(PATTERNS)('matches %j as the general engine does', (pattern) => {
    const dfa = dfaOf(pattern);
    const engine = RE2JS.compile(pattern);
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
    for (let i = 0; i < 1000; i++) {
      const text = Array.from({ length: random(9) }, () => ALPHABET[random(ALPHABET.length)]).join('');
      expect([text, dfa.test(text)]).toEqual([text, engine.test(text)]);
      const bytes = utf8Bytes(`a${text}a`);
      if (bytes.length === text.length + 2) expect([text, dfa.testBytes(bytes, 1, bytes.length - 1)]).toEqual([text, engine.test(text)]);
    }
  });

  it('leaves word boundaries to the general engine', () => {
    expect(LazyDfa.of(programOf((RE2JS.compile('\\bx').re2() as unknown as { prog: Re2Program }).prog))).toBeUndefined();
  });

  it('gives up on patterns with too many states, instead of storing them', () => {
    expect(dfaOf('[ab]*a[ab]{12}$').test('ab'.repeat(4000) + 'c')).toSatisfy((answer) => answer === undefined || answer === false);
  });
});
