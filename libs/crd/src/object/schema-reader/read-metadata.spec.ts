import { utf8Bytes } from '#go';
import { checkDns1123Label, checkDns1123Subdomain, checkLabelValue, checkQualifiedName } from '#kube';
import { describe, expect, it } from 'vitest';
import { seededCongruence } from '../../../../../testing/seeded-random.ts';
import { isLabelAt, isLabelValueAt, isQualifiedNameAt, isSubdomainAt } from './read-metadata.ts';

const PIECES = [
  'a',
  'z',
  '0',
  '9',
  'A',
  'Z',
  '-',
  '.',
  '_',
  '/',
  ' ',
  '\\',
  'é',
  'K',
  '`',
  '{',
  '@',
  ':',
  'a.b',
  'x'.repeat(31),
  'y'.repeat(63),
  'w.'.repeat(100),
];

/** Yields valid names, and texts that are nearly valid names. */
function* texts(): Generator<string> {
  const random = seededCongruence(11);
  yield '';
  for (let n = 0; n < 20_000; n++) {
    const count = 1 + Math.floor(random() * 6);
    yield Array.from({ length: count }, () => PIECES[Math.floor(random() * PIECES.length)]).join('');
  }
}

describe('checks of metadata names on bytes', () => {
  it.each<[what: string, isAt: (bytes: Uint8Array, from: number, to: number) => boolean, check: (text: string) => readonly string[]]>([
    ['subdomains', isSubdomainAt, checkDns1123Subdomain],
    ['labels', isLabelAt, checkDns1123Label],
    ['qualified names', (bytes, from, to) => isQualifiedNameAt(bytes, from, to, 'lowercase'), (text) => checkQualifiedName(text)],
    [
      'keys of annotations',
      (bytes, from, to) => isQualifiedNameAt(bytes, from, to, 'anyCase'),
      (text) => checkQualifiedName(text.toLowerCase()),
    ],
    ['values of labels', isLabelValueAt, (text) => checkLabelValue(text)],
  ])('give the same result as checks on strings: %s', (_, isAt, check) => {
    let right = 0;
    for (const text of texts()) {
      const bytes = utf8Bytes(`"${text}"`);
      const isRight = isAt(bytes, 1, bytes.length - 1);
      right += Number(isRight);
      // Names outside ASCII are left to the exact checks.
      if (isRight || /^[\0-\x7f]*$/.test(text)) expect([text, isRight]).toEqual([text, check(text).length === 0]);
    }
    expect(right).toBeGreaterThan(300);
  });
});
