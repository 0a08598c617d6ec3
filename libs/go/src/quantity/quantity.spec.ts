import { describe, expect, it } from 'vitest';
import { formatQuantity } from './format-quantity.ts';
import { parseQuantity } from './parse-quantity.ts';
import {
  addQuantities,
  compareQuantities,
  integerQuantity,
  quantityFloat64,
  quantityInt64,
  roundUpQuantity,
  subtractQuantities,
} from './quantity.ts';
import type { Quantity, QuantityRules } from './quantity.ts';

function quantity(text: string, rules: QuantityRules = 'exact'): Quantity {
  const result = parseQuantity(text, rules);
  if (!result.ok) throw new Error(result.error);
  return result.quantity;
}

/** Expected results, recorded from k8s.io/apimachinery/pkg/api/resource (1.37). */
const PARSED: readonly (readonly [text: string, canonical: string, int64: bigint | undefined, float64: number])[] = [
  ['5.4', '5400m', undefined, 5.4],
  ['1Mi', '1Mi', 1048576n, 1048576],
  ['1024Mi', '1Gi', 1073741824n, 1073741824],
  ['1.5Gi', '1536Mi', undefined, 1610612736],
  ['110Ti', '110Ti', undefined, 120946279055360],
  ['8380e6', '8380e6', 8380000000n, 8380000000],
  ['4444818829569580297', '4444818829569580297', undefined, 4444818829569580500],
  ['-1E-3', '-1e-3', undefined, -0.001],
  ['+5T', '5T', 5000000000000n, 5000000000000],
  ['0.5n', '1n', undefined, 1e-9],
  ['.5', '500m', undefined, 0.5],
  ['0', '0', 0n, 0],
  ['.', '0', 0n, 0],
];

const WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

describe('quantities', () => {
  it.each(PARSED)('the quantity %s is formatted as %s', (text, canonical, int64, float64) => {
    const parsed = quantity(text);
    expect([formatQuantity(parsed), quantityInt64(parsed), quantityFloat64(parsed)]).toEqual([canonical, int64, float64]);
  });

  it.each(['1e-2147483647', '1e-2147483648', '12345678901234567890e-2147483647'])('rounding %s up does not read all its digits', (text) => {
    expect(formatQuantity(quantity(text))).toBe('1e-9');
    expect(formatQuantity(quantity(`-${text}`))).toBe('-1e-9');
  });

  it('0e-2147483647 equals zero', () => {
    expect(formatQuantity(quantity('0e-2147483647'))).toBe('0');
  });

  it.each([
    ['', WRONG_FORMAT],
    ['aoeu', WRONG_FORMAT],
    ['1 ', WRONG_FORMAT],
    ['1.2.3', WRONG_FORMAT],
    ['1mi', "unable to parse quantity's suffix"],
    ['1ki', "unable to parse quantity's suffix"],
    ['12345678901234567890123mi', "unable to parse quantity's suffix"],
  ])('rejects %s', (text, error) => {
    for (const rules of ['exact', 'bounded'] as const) expect(parseQuantity(text, rules)).toEqual({ ok: false, error });
  });

  it.each([
    ['1Gi', '1024Mi', 0],
    ['1G', '1Gi', -1],
    ['-1', '-2', 1],
    ['1e400', '9E', 1],
  ])('comparing %s with %s gives %d', (a, b, order) => {
    expect(compareQuantities(quantity(a), quantity(b))).toBe(order);
  });

  it('addition uses the format of the first operand, unless this operand is zero', () => {
    expect(formatQuantity(addQuantities(quantity('1Ki'), quantity('1k')))).toBe('2024');
    expect(formatQuantity(addQuantities(quantity('0'), quantity('1Ki')))).toBe('1Ki');
    expect(formatQuantity(subtractQuantities(quantity('1'), quantity('1500m')))).toBe('-500m');
  });

  it('subtracting the smallest int64 wraps around if the sum fits into int64', () => {
    const least = integerQuantity(-(2n ** 63n), 'exact');
    expect(formatQuantity(subtractQuantities(quantity('9E'), least))).toBe('-223372036854775808');
    expect(formatQuantity(subtractQuantities(quantity('-0.1u'), least))).toBe('9223372036854775807999999900n');
  });

  it.each([
    ['1.5', '1500m'],
    ['100u', '1m'],
    ['-100u', '-1m'],
    ['0.0015', '2m'],
    ['123456789012345678901n', '123456789012346m'],
    ['0.5Gi', '512Mi'],
  ])('rounding %s up to thousandths gives %s', (text, rounded) => {
    expect(formatQuantity(roundUpQuantity(quantity(text), -3))).toBe(rounded);
  });

  it.each([
    ['1E3', '1E3'],
    ['1.500', '1.500'],
    ['+01', '+01'],
    ['1025Ki', '1025Ki'],
  ])('parsing %s stores the original text: %s', (text, kept) => {
    const result = parseQuantity(text, 'exact');
    expect(result.ok && result.kept).toBe(kept);
  });

  it.each(['1024Ki', '1000', '1.5', '0.001'])('parsing %s stores no original text', (text) => {
    const result = parseQuantity(text, 'exact');
    expect(result.ok && result.kept).toBeUndefined();
  });
});

/** Expected results of the bounded rules, recorded from k8s.io/apimachinery/pkg/api/resource (1.38.0-beta.0). */
const BOUNDED: readonly (readonly [text: string, canonical: string, int64: bigint | undefined, float64: number])[] = [
  ['1000E', '1e21', undefined, 1e21],
  ['1234567890123456789', '1234567890123456789', 1234567890123456789n, 1234567890123456800],
  ['-9223372036854775808', '-9223372036854775808', -(2n ** 63n), -9223372036854775808],
  ['9223372036854775808', '9223372036854775808', undefined, 9223372036854775808],
  ['-9223372036854775808k', '-9223372036854775808k', undefined, -9.223372036854776e21],
  ['-8Ei', '-9223372036854775807', undefined, -9223372036854775807],
  ['12345678901234567890123456789012345', '12345678901234567890123456790M', undefined, 1.234567890123457e34],
  ['1.00000000000000000000000000000000001', '1000000001n', undefined, 1.000000001],
  ['0e400', '0', 0n, 0],
  ['1e400', '10e399', undefined, Infinity],
  ['1.5e-2147483648', '150e2147483646', undefined, Infinity],
  ['12345678901234567890e-2147483647', '1e-9', undefined, 1e-9],
  ['1e4294967299', '1e3', 1000n, 1000],
  ['0.5Ki', '512', undefined, 512],
  ['9Ei', '9223372036854775807', undefined, 9223372036854775807],
];

describe('quantities with the bounded rules of 1.38', () => {
  it.each(BOUNDED)('the quantity %s is formatted as %s', (text, canonical, int64, float64) => {
    const parsed = quantity(text, 'bounded');
    expect([formatQuantity(parsed), quantityInt64(parsed), quantityFloat64(parsed)]).toEqual([canonical, int64, float64]);
  });

  it.each(['1e-2147483648', '12345678901234567890e-2147483648', '1e2147483648'])('rejects %s', (text) => {
    expect(parseQuantity(text, 'bounded')).toEqual({ ok: false, error: "unable to parse quantity's suffix" });
    expect(parseQuantity(text, 'exact').ok).toBe(true);
  });

  it.each([
    ['1e40', '1', '10000000000000000000000000000100e9'],
    ['1e40', '-1n', '9999999999999999999999999999900e9'],
    ['0', '1.5Gi', '1536Mi'],
    ['1Ki', '1180591620717411302400', '1180591620717411303424'],
    ['-1Ki', '-9223372036854774784', '-9223372036854775808'],
    ['-4Ei', '-4Ei', '-8Ei'],
  ])('%s plus %s gives %s', (a, b, sum) => {
    expect(formatQuantity(addQuantities(quantity(a, 'bounded'), quantity(b, 'bounded')))).toBe(sum);
  });

  it.each([
    ['0', '-9223372036854775808', '9223372036854775808'],
    ['9E', '-9223372036854775808', '18223372036854775808'],
    ['1', '1500m', '-500m'],
    ['1', '0.5Ki', '-511'],
  ])('%s minus %s gives %s', (a, b, difference) => {
    expect(formatQuantity(subtractQuantities(quantity(a, 'bounded'), quantity(b, 'bounded')))).toBe(difference);
  });

  it('addition ends soon for a huge exponent', () => {
    expect(quantityInt64(addQuantities(quantity('1e2147483646', 'bounded'), integerQuantity(1n, 'bounded')))).toBeUndefined();
  });
});
