import { describe, expect, it } from 'vitest';
import { costWords, exactCost, limitText } from './cost-words.ts';

describe('costWords', () => {
  it.each([
    ['0', '0'],
    ['5894144', '5,894,144'],
    ['10000000', '10,000,000'],
    ['34588040', '35 million'],
    ['123456789', '120 million'],
    ['34588040962', '35 billion'],
    ['1200000000000', '1.2 trillion'],
    ['345880409621712077', '3.5 × 10¹⁷'],
    ['18446744073709551615', '1.8 × 10¹⁹'],
    ['1.5', '1.5'],
  ])('writes %s as %s', (cost, words) => expect(costWords(cost)).toBe(words));
});

it('exactCost shows all digits', () => expect(exactCost('18446744073709551615')).toBe('18,446,744,073,709,551,615'));

describe('limitText', () => {
  it.each([
    [0n, '0 % of the limit'],
    [103n, 'under 0.1 % of the limit'],
    [5_894_144n, '58.9 % of the limit'],
    [10_000_000n, '100 % of the limit'],
    [10_500_000n, '5 % over the limit'],
    [18_000_000_000_000n, '1,800,000 × over the limit'],
    [345_880_409_621_712_077n, '35 billion × over the limit'],
  ])('gives %s', (cost, words) => expect(limitText(cost, 10_000_000n)).toBe(words));
});
