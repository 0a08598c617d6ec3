import { floatValue, formatFloat, intValue, isJsonInt } from '#go';
import { invalid } from '#kube';
import type { JsonValue } from '#go';
import { toInt64 } from './go-integers.ts';
import type { Change } from '#kube';
import type { Dialect } from './check.ts';
import { roundingOf } from './json-integer.ts';
import { checkRange } from './number-range.ts';
import type { NumberType } from './number-range.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** Parameters for validating `multipleOf`. */
export interface Factor extends Pick<Dialect, 'isIntegral'> {
  readonly factor: number;
  readonly type: NumberType;
}

/**
 * Validates `multipleOf`. For integers, the factor is truncated, so a fractional factor below 1 rejects every value. Source: kube-openapi
 * pkg/validation/validate/values.go `MultipleOfNativeType`.
 */
export function checkMultipleOf(value: JsonValue, number: number | bigint, limit: Factor, walk: SchemaWalk): void {
  const { factor, type } = limit;
  const inRange = checkRange(factor, type, 'MultipleOf', walk);
  if (inRange && isJsonInt(value)) {
    const whole = toInt64(factor);
    if (whole <= 0n) reportFactor(walk, String(whole), intValue(whole));
    else if (BigInt(number) % whole !== 0n) report(walk, String(whole), value);
    return;
  }
  const float = Number(number);
  if (factor <= 0) {
    reportFactor(walk, formatFloat(factor), floatValue(factor));
    return;
  }
  const multiple = factor < 1 ? (1 / factor) * float : float / factor;
  if (!limit.isIntegral(multiple)) report(walk, formatFloat(factor), isJsonInt(value) ? floatValue(float) : value, roundingOf(multiple));
}

function report(walk: SchemaWalk, factor: string, value: JsonValue, because?: readonly Change[]): void {
  const name = walk.name;
  const text = `${name} in body should be a multiple of ${factor}`;
  walk.add({ text, name, toError: (field) => invalid(field, value, text), because });
}

function reportFactor(walk: SchemaWalk, factor: string, value: JsonValue): void {
  const name = walk.name;
  const text = `factor MultipleOf declared for ${name} must be positive: ${factor}`;
  walk.add({ text, name, toError: (field) => invalid(field, value, text) });
}
