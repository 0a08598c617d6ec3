import { describe, expect, it } from 'vitest';
import { seededCongruence } from '../../../../testing/seeded-random.ts';
import { unescaped } from './unescaped.ts';

const PARTS = [
  'a',
  'é',
  '\\n',
  '\\t',
  '\\"',
  '\\\\',
  '\\/',
  '\\b',
  '\\f',
  '\\r',
  '\\u0041',
  '\\u00e9',
  '\\ud83d',
  '\\ude00',
  '\\u',
  '\\u12',
  '\\x',
];

/** What `JSON.parse` makes of a string, where that is well-formed. */
function parsed(text: string): string | undefined {
  try {
    const value = JSON.parse(`"${text}"`) as string;
    return value.isWellFormed() ? value : undefined;
  } catch {
    return undefined;
  }
}

describe('taking the escapes off a string', () => {
  it('gives what JSON.parse gives', () => {
    const next = seededCongruence(7);
    let [good, bad] = [0, 0];
    for (let run = 0; run < 20_000; run++) {
      const text = Array.from({ length: Math.floor(next() * 5) }, () => PARTS[Math.floor(next() * PARTS.length)]).join('');
      const expected = parsed(text);
      expect(unescaped(text), text).toBe(expected);
      if (expected === undefined) bad += 1;
      else good += 1;
    }
    expect(Math.min(good, bad)).toBeGreaterThan(3000);
  });

  it('refuses a backslash at the end', () => {
    expect(unescaped('a\\')).toBeUndefined();
  });
});
