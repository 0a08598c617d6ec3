import { codePointLength } from '#go';

/** Helpers that generated code calls to price strings. The formulas are those of the functions' own measures. */

/** Texts of up to this many code points cost one unit to traverse, and nothing when empty. */
const ONE_UNIT = 10;

/** Units for traversing a text. */
export function textUnits(text: string): number {
  return text.length <= ONE_UNIT ? (text.length === 0 ? 0 : 1) : Math.ceil(codePointLength(text) * 0.1);
}

/** Units for comparing two texts. */
export function comparisonUnits(a: string, b: string): number {
  const shorter = a.length < b.length ? a.length : b.length;
  if (shorter <= ONE_UNIT) return shorter === 0 ? 0 : 1;
  return Math.ceil(Math.min(codePointLength(a), codePointLength(b)) * 0.1);
}

/** Units for joining two texts. */
export function joiningUnits(a: string, b: string): number {
  return Math.ceil((codePointLength(a) + codePointLength(b)) * 0.1);
}

/** Units for matching a text with a pattern whose own factor is given. */
export function matchingUnits(text: string, patternFactor: number): number {
  return Math.ceil((1 + codePointLength(text)) * 0.1) * patternFactor;
}
