import { digits, grouped } from './figures.ts';

/** Cost above which {@link costWords} does not show all digits, because they would be too many to read. */
const TOO_LONG = 10_000_000n;
const WORDS = [
  { word: 'trillion', size: 10n ** 12n },
  { word: 'billion', size: 10n ** 9n },
  { word: 'million', size: 10n ** 6n },
] as const;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

const superscript = (power: string): string => power.replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? digit);

const WHOLE = /^\d+$/;
/** Returns a number that is not written in digits only, such as `1.5` or `1.2e+3`, with at most three decimals. */
const ofNumber = (text: string): string => Number(text).toLocaleString('en');

/** Returns a cost in words: `5,894,144`, `35 billion`, or a power of ten from 10¹⁵ on. */
export function costWords(cost: string): string {
  if (!WHOLE.test(cost)) return ofNumber(cost);
  const exact = BigInt(cost);
  if (exact <= TOO_LONG) return grouped(exact);
  if (exact >= 10n ** 15n) {
    const [factor = '', power = ''] = Number(exact).toExponential(1).split('e+');
    return `${factor} × 10${superscript(power)}`;
  }
  const { word, size } = WORDS.find((one) => exact >= one.size) ?? WORDS[2];
  return `${grouped(digits(Number(exact) / Number(size), 2))} ${word}`;
}

/** Returns a cost with all its digits, in groups of three. */
export const exactCost = (cost: string): string => (WHOLE.test(cost) ? grouped(BigInt(cost)) : ofNumber(cost));

/** Returns a comparison of a cost with its limit in words: `35 billion × over the limit`, `58.9 % of the limit`. */
export function limitText(cost: bigint, limit: bigint): string {
  if (cost > limit) {
    const ratio = Number(cost) / Number(limit);
    return ratio >= 2 ? `${costWords((cost / limit).toString())} × over the limit` : `${threeDigits(ratio - 1)} over the limit`;
  }
  const share = Number(cost) / Number(limit);
  return share > 0 && share < 0.001 ? 'under 0.1 % of the limit' : `${threeDigits(share)} of the limit`;
}

const threeDigits = (share: number): string => `${Number((100 * share).toPrecision(3)).toLocaleString('en')} %`;

/**
 * Returns a cost for display. A cost of more than `longest` digits is shown as a rounded power of ten, because its exact value does not
 * matter: `1.8 × 10^19`.
 */
export function shortCost(cost: string, longest = 13): string {
  return cost.length > longest ? Number(cost).toExponential(1).replace('e+', ' × 10^') : grouped(cost);
}

/** Returns a cost as text for editors: {@link shortCost} with at most twelve digits. */
export const costText = (cost: bigint): string => shortCost(String(cost), 12);
