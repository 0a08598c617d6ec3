import { expect, it } from 'vitest';
import { parseQuantity } from '../quantity/parse-quantity.ts';
import { machineInteger } from './number-text.ts';
import { goTrim } from './strings.ts';

const LONG = 300_000;

it('goTrim() trims a text full of spaces in linear time (quadratic time would take minutes)', () => {
  const text = `a${' \u0085\u3000'.repeat(LONG)}b`;
  expect(goTrim(` \t${text}${' \v'.repeat(LONG)}`)).toBe(text);
  expect([goTrim(''), goTrim(' \n'), goTrim('\ufeffa ')]).toEqual(['', '', '\ufeffa']);
});

it.each([`${'0'.repeat(LONG)}!`, `1.${'0'.repeat(LONG)}!`, `1e${'0'.repeat(LONG)}!`, `1${'e'.repeat(LONG)}!`])(
  'parseQuantity() rejects a quantity with many digits in linear time (cubic time would take years)',
  (text) => {
    expect(parseQuantity(text, 'bounded').ok).toBe(false);
  },
);

it('machineInteger() reads integers with leading zeros and beyond int64, and rejects integers with very many digits', () => {
  const texts = ['0', '-0', '+7', '007', '-9223372036854775809', '18446744073709551616', `${'0'.repeat(LONG)}5`];
  expect(texts.map(machineInteger)).toEqual([0n, 0n, 7n, 7n, -9223372036854775809n, 18446744073709551616n, 5n]);
  expect(machineInteger('9'.repeat(LONG))).toBeUndefined();
});
