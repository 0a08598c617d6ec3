import { floatValue, formatFloat, isJsonInt } from '#go';
import { invalid } from '#kube';
import type { JsonValue } from '#go';
import { checkRange } from './number-range.ts';
import type { NumberType } from './number-range.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** A bound of numbers. Which one is said by the words: see `maximum.ts` and `minimum.ts`. */
export interface NumericBound {
  readonly limit: number;
  /** The limit as integers meet it: truncated to int64. */
  readonly integerLimit: bigint;
  readonly role: 'Maximum boundary' | 'Minimum boundary';
  /** True when the left value violates the bound on the right. */
  readonly violates: (value: number | bigint, limit: number | bigint) => boolean;
  /** `less than or equal to`, `less than` … */
  readonly words: string;
}

/**
 * Checks a bound. Integers meet the bound truncated to int64, unless the bound itself does not fit the type: then that is a finding of its
 * own and the comparison is one of floats.
 * Source: kube-openapi pkg/validation/validate/validator.go `numberValidator`, values.go `MaximumNativeType`.
 */
export function checkBound(value: JsonValue, number: number | bigint, bound: NumericBound, type: NumberType, walk: SchemaWalk): void {
  const inRange = checkRange(bound.limit, type, bound.role, walk);
  const asIntegers = inRange && isJsonInt(value);
  const limit = asIntegers ? bound.integerLimit : bound.limit;
  if (!bound.violates(asIntegers ? number : Number(number), limit)) return;
  const name = walk.name;
  const text = `${name} in body should be ${bound.words} ${asIntegers ? limit : formatFloat(bound.limit)}`;
  const shown = !inRange && isJsonInt(value) ? floatValue(Number(number)) : value;
  walk.add({ text, name, toError: (field) => invalid(field, shown, text) });
}
