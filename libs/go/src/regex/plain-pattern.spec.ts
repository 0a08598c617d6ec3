import { RE2JS, RE2JSSyntaxException } from 're2js';
import { describe, expect, it } from 'vitest';
import { isPlainPattern } from './plain-pattern.ts';
import { compileRegex } from './regex.ts';

/** Patterns of well-known CustomResourceDefinitions. */
const PLAIN = [
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  '^([0-9]{1,5}(h|m|s|ms)){1,4}$',
  '^https?://[^/?#]+$',
  '^(?:\\d+\\.){3}\\d{1,3}$',
  "^[A-Za-z0-9!#$%&'*+\\-.^_\\x60|~]+$",
  '^$|a+?',
  '',
];

const PIECES = [
  'a',
  'Z',
  '9',
  '_',
  ' ',
  '-',
  '.',
  '^',
  '$',
  '|',
  '(',
  ')',
  '(?:',
  '[',
  ']',
  '\\',
  '{',
  '}',
  ',',
  '*',
  '+',
  '?',
  '/',
  ':',
  '&',
];
const LARGER = [
  '[a-z]',
  '[^a-z0-9-]',
  '[z-a]',
  '[-.]',
  '[9-a]',
  '{2}',
  '{0}',
  '{1,3}',
  '{3,1}',
  '{500,}',
  '{40}',
  '{1001}',
  '\\d',
  '\\w',
  '\\.',
  '\\Q',
  '\\p',
  '\\1',
  '[[:alpha:]]',
  '[a-\\d]',
  '[\\x60\\x5D^]',
  '[^\\x2d-]',
  '[\\x61-z]',
  '[a-\\x7A]',
  '\\x60',
  '[\\d-z]',
  'é',
];

function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 10) % below;
  };
}

function isPattern(text: string): boolean {
  try {
    RE2JS.compile(text);
    return true;
  } catch (thrown) {
    if (thrown instanceof RE2JSSyntaxException) return false;
    throw thrown;
  }
}

/** Returns a random text. Some of its characters occur in the patterns, and some do not. */
function randomText(random: (below: number) => number): string {
  const alphabet = [
    'a',
    'b',
    'Z',
    '9',
    '0',
    '_',
    ' ',
    '-',
    '.',
    '/',
    ':',
    '&',
    '\n',
    '\t',
    '\v',
    'é',
    '😀',
    '\\',
    '[',
    ']',
    '^',
    '`',
    '|',
    '{',
    '(',
  ];
  return Array.from({ length: random(6) }, () => alphabet[random(alphabet.length)] ?? '').join('');
}

describe('isPlainPattern', () => {
  it('accepts typical patterns of definitions', () => {
    expect(PLAIN.filter((pattern) => !isPlainPattern(pattern))).toEqual([]);
  });

  it.each([
    'a**',
    '(',
    'a)',
    '[z-a]',
    '*a',
    '^*',
    '(|*)',
    'a{1001}',
    '(a{40}){40}',
    '((a{10}){10}b){11}',
    'a{3,1}',
    '[a',
    '[^]',
    '[]a]',
    '[\\x6]',
    '[\\x80]',
    '[a-\\x7a]',
    '[\\x61-z]',
    '\\8',
    '(?=a)',
    'a{2}{2}',
  ])('rejects the pattern %s', (pattern) => {
    expect(isPlainPattern(pattern)).toBe(false);
  });

  it("rejects each pattern that JavaScript's engine rejects or matches differently from Go", () => {
    const random = dice(7);
    let plain = 0;
    let matched = 0;
    for (let time = 0; time < 60_000; time++) {
      let text = '';
      for (let i = random(9) + 1; i > 0; i--) {
        const pieces = random(2) === 0 ? PIECES : LARGER;
        text += pieces[random(pieces.length)] ?? '';
      }
      if (!isPlainPattern(text)) continue;
      plain++;
      if (!isPattern(text)) expect.fail(`${JSON.stringify(text)} is no pattern`);
      const [regex, engine] = [compileRegex(text), RE2JS.compile(text)];
      for (let i = 0; i < 8; i++) {
        const subject = randomText(random);
        if (!regex.ok || regex.regex.test(subject) !== engine.test(subject))
          expect.fail(`${JSON.stringify(text)} takes ${JSON.stringify(subject)} otherwise`);
        matched += engine.test(subject) ? 1 : 0;
      }
    }
    expect(plain).toBeGreaterThan(3000);
    expect(Math.min(matched, plain * 8 - matched)).toBeGreaterThan(3000);
  });
});
