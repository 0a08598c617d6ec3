import { expect, it } from 'vitest';
import { PolicyWarnings } from './warnings.ts';

const sent = (...texts: readonly string[]): readonly string[] => {
  const warnings = new PolicyWarnings();
  for (const text of texts) warnings.add(text);
  return warnings.sent;
};
const long = (first: string, size: number): string => first + 'x'.repeat(size - 1);

it.each<[what: string, texts: readonly string[], expected: readonly string[]]>([
  ['once each', ['a', 'b', 'a', ''], ['a', 'b']],
  ['not with line breaks', ['a\nb', 'c'], ['c']],
  ['whole up to 4096 code points', [long('a', 4000), long('b', 96)], [long('a', 4000), long('b', 96)]],
  ['cut to 256 each beyond', [long('a', 4000), long('b', 97), long('c', 300)], [long('a', 256), long('b', 97), long('c', 256)]],
  ['cut by code points, not by halves of them', ['😀'.repeat(4097)], ['😀'.repeat(256)]],
])('warnings are sent %s', (_, texts, expected) => {
  expect(sent(...texts)).toEqual(expected);
});

it('warnings end if even shortened ones are too many', () => {
  expect(sent(...Array.from({ length: 40 }, (_, i) => long(`${i} `, 300)))).toHaveLength(16);
});
