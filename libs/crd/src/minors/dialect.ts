import { minorNumber, tooLongWords, tooManyWords } from '#kube';
import type { Minor, Server } from '#kube';
import type { Dialect } from '../object/openapi/check.ts';
import { isIntegralFloat, isIntegralFloatBefore137 } from '../object/openapi/json-integer.ts';

/** First minor that enforces formats of numbers and checks bounds against their type. */
const TYPED_NUMBERS_SINCE = 36;
/** First minor that takes a float for an integer from both sides. */
const INTEGERS_ROUNDED_SINCE = 37;
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
    isIntegral: number >= INTEGERS_ROUNDED_SINCE ? isIntegralFloat : isIntegralFloatBefore137,
    formatMinor: number - 1,
    forDefaults: false,
  };
}

/** How a minor validates writes of the status subresource. */
export interface StatusWrites {
  /** The path before field names of OpenAPI errors. */
  readonly base: 'status' | undefined;
  /** Whether what is unchanged may stay invalid. */
  readonly ratchets: boolean;
}

/** First minor whose errors about the status name their fields in full. */
const STATUS_NAMED_SINCE = 31;
/** First minor that ratchets status writes. */
const STATUS_RATCHETS_SINCE = 33;

/** See {@link StatusWrites}. Without the gate the fields of a status go without its name. Source: pkg/apiserver/validation/validation.go `ValidateCustomResourceUpdate` (1.31). */
export function statusWrites({ minor, gates: { CRDValidationRatcheting: ratcheting } }: Server): StatusWrites {
  const number = minorNumber(minor);
  return {
    base: ratcheting && number >= STATUS_NAMED_SINCE ? 'status' : undefined,
    ratchets: ratcheting && number >= STATUS_RATCHETS_SINCE,
  };
}

/** Whether an error of a rule shows the scalar that the rule refused. */
export function showsScalars(minor: Minor): boolean {
  return minorNumber(minor) >= SCALARS_SHOWN_SINCE;
}
