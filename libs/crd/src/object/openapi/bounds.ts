import { floatValue, formatFloat, isJsonInt } from '#go';
import { invalid } from '#kube';
import type { JsonValue } from '#go';
import { toInt64 } from './go-integers.ts';
import { checkRange } from './number-range.ts';
import type { NumberType } from './number-range.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** Lower or upper bound of numbers, see {@link maximum} and {@link minimum}. */
export interface NumericBound {
  readonly limit: number;
  /** Limit that integers are compared with: the bound truncated to int64. */
  readonly integerLimit: bigint;
  readonly role: 'Maximum boundary' | 'Minimum boundary';
  /** Returns true if `value` violates `limit`. */
  readonly violates: (value: number | bigint, limit: number | bigint) => boolean;
  /** Comparison in the error message, such as `less than or equal to` or `less than`. */
  readonly comparison: string;
}

/**
 * Validates a number against a bound. An integer is compared with the bound truncated to int64. A bound that does not fit the declared type
 * is reported as a separate finding. In this case, the number and the bound are compared as floats. Source: kube-openapi
 * pkg/validation/validate/validator.go `numberValidator`, values.go `MaximumNativeType`.
 */
export function checkBound(value: JsonValue, number: number | bigint, bound: NumericBound, type: NumberType, walk: SchemaWalk): void {
  const inRange = checkRange(bound.limit, type, bound.role, walk);
  const asIntegers = inRange && isJsonInt(value);
  const limit = asIntegers ? bound.integerLimit : bound.limit;
  if (!bound.violates(asIntegers ? number : Number(number), limit)) return;
  const name = walk.name;
  const text = `${name} in body should be ${bound.comparison} ${asIntegers ? limit : formatFloat(bound.limit)}`;
  const shown = !inRange && isJsonInt(value) ? floatValue(Number(number)) : value;
  walk.add({ text, name, toError: (field) => invalid(field, shown, text) });
}

/** Returns the numeric bound that the keyword `maximum` sets. `exclusive` is the value of `exclusiveMaximum`. */
export function maximum(limit: number, exclusive: boolean): NumericBound {
  return {
    limit,
    integerLimit: toInt64(limit),
    role: 'Maximum boundary',
    violates: exclusive ? (value, max) => value >= max : (value, max) => value > max,
    comparison: exclusive ? 'less than' : 'less than or equal to',
  };
}

/** Returns the numeric bound that the keyword `minimum` sets. `exclusive` is the value of `exclusiveMinimum`. */
export function minimum(limit: number, exclusive: boolean): NumericBound {
  return {
    limit,
    integerLimit: toInt64(limit),
    role: 'Minimum boundary',
    violates: exclusive ? (value, min) => value <= min : (value, min) => value < min,
    comparison: exclusive ? 'greater than' : 'greater than or equal to',
  };
}
