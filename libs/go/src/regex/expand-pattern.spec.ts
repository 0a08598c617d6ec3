import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { MIN_EXPANDED, readCounted } from './expand-pattern.ts';
import { compileRegex, CountedRegex } from './regex.ts';

/** Compiles a pattern with the engine for counted repetitions, even if the pattern is small. */
function counted(pattern: string): CountedRegex | undefined {
  const read = readCounted(pattern, 0);
  return read && new CountedRegex(pattern, read);
}

/** Returns the matches that re2js finds. As in Go's FindAllString, an empty match that touches the previous match is dropped. */
function foundByRe2(pattern: string, text: string): string[] {
  const matcher = RE2JS.compile(pattern).matcher(text);
  const found: string[] = [];
  let previousEnd = -1;
  while (matcher.find()) {
    if (matcher.start() !== matcher.end() || matcher.start() !== previousEnd) found.push(text.slice(matcher.start(), matcher.end()));
    previousEnd = matcher.end();
  }
  return found;
}

const PIECES = [
  'a',
  'b',
  '.',
  'é',
  '😀',
  '[a-c]',
  '[^a]',
  '\\d',
  '\\w',
  '\\pL',
  '[[:alpha:]b]',
  '[]a]',
  '[\\pL\\]-]',
  '\\x{61}',
  '\\141',
  '\\.',
];
const PLACES = ['^', '$', '\\b', '\\B', '\\A', '\\z'];
const REPEATS = ['*', '+', '?', '*?', '+?', '??', '{2}', '{0}', '{0,2}', '{1,3}?', '{2,}', '{0,}?', '{1,}'];
const GROUPS = ['(', '(?:', '(?i:', '(?s:', '(?m:', '(?U:', '(?i-s:', '(?P<n>', '(?<m>'];
const ODD = ['{', '{,2}', '(?i)', '(?U)', '(?-i)', '\\Qa.b\\E', '{1', ']', '}', '-', '\\Q\\E', '(?)', '|'];
const ALPHABET = ['a', 'b', 'c', 'A', 'B', 'é', 'É', '\n', ' ', '.', '1', '😀', '{', 'k', '\u212a'];

/** Returns a function that generates pseudo-random numbers below a bound. The sequence is always the same for a seed. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 10) % below;
  };
}

function randomPattern(random: (below: number) => number, depth = 0): string {
  let text = '';
  for (let i = random(4) + 1; i > 0; i--) {
    const kind = random(12);
    const of = (list: readonly string[]): string => list[random(list.length)] ?? '';
    if (kind === 0) text += of(PLACES);
    else if (kind === 1) text += of(ODD);
    else if (kind < 4 && depth < 3) text += `${of(GROUPS)}${randomPattern(random, depth + 1)})`;
    else if (kind === 4 && depth < 3) text += `(${randomPattern(random, depth + 1)}|${randomPattern(random, depth + 1)})`;
    else text += of(PIECES);
    if (random(3) === 0) text += of(REPEATS);
  }
  return text;
}

describe('a pattern with counted repetitions', () => {
  it('matches as the general engine does, or is left to that engine, for random patterns', () => {
    const random = dice(7);
    let read = 0;
    for (let i = 0; i < 4000; i++) {
      const pattern = randomPattern(random);
      const regex = counted(pattern);
      if (regex === undefined) continue;
      read++;
      for (let j = 0; j < 5; j++) {
        const text = Array.from({ length: random(9) }, () => ALPHABET[random(ALPHABET.length)]).join('');
        const found = foundByRe2(pattern.replaceAll(/\(\?P?<\w>/g, '('), text);
        expect([pattern, text, regex.findAll(text, -1), regex.test(text)]).toEqual([pattern, text, found, found.length > 0]);
        expect(regex.find(text)).toBe(found[0]);
      }
    }
    expect(read).toBeGreaterThan(2000);
  });

  it.each(['a{1001}', 'a{2}{3}', '(a{500}){3}', 'a{5,2}', '(', ')', 'a**', '(?i)*', '[z-a]', '\\8', '(?=a)', '[a', 'a\\', '\\pX', '^*+'])(
    'is left to the general engine if it may be invalid: %s',
    (pattern) => {
      expect(counted(pattern)).toBeUndefined();
    },
  );

  it('is left to the general engine if expansion would not be faster', () => {
    expect(readCounted('[a-z]{0,1000}')).toBeUndefined();
    expect(readCounted(`(?:${'[a-z]{0,1000}'.repeat(MIN_EXPANDED / 2000)})`)).toBeDefined();
  });

  it.each([50, 200, 500])('that repeats %i times 1000 is compiled and matched', (times) => {
    const result = compileRegex('[a-z]{0,1000}'.repeat(times));
    if (!result.ok) throw new Error(result.error);
    expect(result.regex.test('abc')).toBe(true);
    expect(result.regex.find('abcD')).toBe('abc');
    const whole = compileRegex(`^${'[a-z]{0,1000}'.repeat(times)}$`);
    expect(whole.ok && [whole.regex.test('ab'), whole.regex.test('aB')]).toEqual([true, false]);
  });

  it('is rejected if Go rejects the size of the pattern', () => {
    const tooLarge = '[a-z]{0,1000}'.repeat(1700);
    expect(compileRegex(tooLarge)).toEqual({ ok: false, error: `error parsing regexp: expression too large: \`${tooLarge}\`` });
    // Go accepts up to 3,355,443 instructions.
    expect(compileRegex('[a-z]{1000}'.repeat(3355)).ok).toBe(true);
    expect(compileRegex('[a-z]{1000}'.repeat(3356)).ok).toBe(false);
  });
});
