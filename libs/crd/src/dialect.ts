import { minorNumber, tooLongWords, tooManyWords } from '#kube';
import type { Minor } from '#kube';
import type { Dialect } from './openapi/check.ts';

/** First minor that enforces formats of numbers and checks bounds against their type. */
const TYPED_NUMBERS_SINCE = 36;
/** First minor whose rule errors show the refused scalar instead of its type. */
const SCALARS_SHOWN_SINCE = 35;

/** How a minor validates. String formats are known as of the minor before, as for new rules. */
export function dialectOf(minor: Minor): Dialect {
  const number = minorNumber(minor);
  return {
    minor,
    tooLong: tooLongWords(number),
    tooMany: tooManyWords(number),
    typedNumbers: number >= TYPED_NUMBERS_SINCE,
    formatMinor: number - 1,
    forDefaults: false,
  };
}

/** Whether an error of a rule shows the scalar that the rule refused. */
export function showsScalars(minor: Minor): boolean {
  return minorNumber(minor) >= SCALARS_SHOWN_SINCE;
}
