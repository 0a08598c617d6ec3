const digits = new Intl.NumberFormat('en');

/** Returns a count with grouped digits, such as 5,894,144. */
export const countText = (count: number): string => digits.format(count);

/** Cost above which not all digits are shown, because they would be too many to read. */
const TOO_LONG = 10_000_000n;
const WORDS = [
  { word: 'trillion', size: 10n ** 12n },
  { word: 'billion', size: 10n ** 9n },
  { word: 'million', size: 10n ** 6n },
] as const;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Converts digits into superscript digits. */
const superscript = (power: string): string => power.replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? digit);

/** Returns a cost in readable form: 5,894,144, 35 billion, or a power of ten from 10¹⁵ on. */
export function costText(cost: string): string {
  if (!/^\d+$/.test(cost)) return countText(Number(cost));
  const exact = BigInt(cost);
  if (exact <= TOO_LONG) return digits.format(exact);
  if (exact >= 10n ** 15n) {
    const [factor = '', power = ''] = Number(exact).toExponential(1).split('e+');
    return `${factor} × 10${superscript(power)}`;
  }
  const { word, size } = WORDS.find((one) => exact >= one.size) ?? WORDS[2];
  return `${digits.format(Number((Number(exact) / Number(size)).toPrecision(2)))} ${word}`;
}

/** Returns a cost with all its digits, in groups of three. */
export const exactText = (cost: string): string => (/^\d+$/.test(cost) ? digits.format(BigInt(cost)) : countText(Number(cost)));

/** Returns a comparison of a cost with its limit in readable form: 35 billion × over the limit, 58.9 % of the limit. */
export function limitText(cost: bigint, limit: bigint): string {
  if (cost > limit) {
    const times = Number(cost) / Number(limit);
    return times >= 2 ? `${costText((cost / limit).toString())} × over the limit` : `${percent(times - 1)} over the limit`;
  }
  const share = Number(cost) / Number(limit);
  return share > 0 && share < 0.001 ? 'under 0.1 % of the limit' : `${percent(share)} of the limit`;
}

const percent = (share: number): string => `${digits.format(Number((100 * share).toPrecision(3)))} %`;

/** Returns a time in readable form: 0.4 ms, 12 ms, 1.3 s. */
export function timeText(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}
