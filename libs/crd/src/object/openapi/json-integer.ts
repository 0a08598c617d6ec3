import type { Change } from '#kube';
import { CRD_CHANGES } from '../../minors/minors.ts';

const MAX_JSON_FLOAT = 2 ** 53 - 1;
const EPSILON = 1e-9;

/**
 * Returns true for a float64 that counts as an integer: an integer, or a value within a relative distance of 1e-9 from an integer. The
 * value must be within ±(2^53−1). Source: go-openapi/swag conv/convert.go `IsFloat64AJSONInteger` (v0.27.1).
 */
export function isIntegralFloat(float: number): boolean {
  if (!(Math.abs(float) <= MAX_JSON_FLOAT)) return false;
  const magnitude = Math.abs(float);
  const whole = Math.round(magnitude);
  return magnitude === whole || (whole !== 0 && Math.abs(magnitude - whole) < EPSILON * whole);
}

/**
 * Returns true if a float counts as an integer in servers up to 1.36. In contrast to {@link isIntegralFloat}, a float may only exceed the
 * integer slightly, and negative floats must be exact. Source: go-openapi/swag convert.go (v0.23).
 */
export function isIntegralFloatBefore137(float: number): boolean {
  if (!(Math.abs(float) <= MAX_JSON_FLOAT)) return false;
  const whole = Math.trunc(float);
  if (whole === float) return true;
  return float > 1 && (float - whole) / (float + whole) < EPSILON;
}

/** Returns the difference because of which only some Kubernetes versions count a float as an integer; undefined if all agree. */
export function roundingOf(float: number): readonly Change[] | undefined {
  return isIntegralFloat(float) === isIntegralFloatBefore137(float) ? undefined : [CRD_CHANGES.integersAreRounded];
}

const MIN_INT64 = -(2n ** 63n);

/**
 * Converts a float to an integer like Go's `int64(f)` on amd64: it truncates, and returns the smallest int64 for every value out of range.
 */
export function toInt64(float: number): bigint {
  const whole = Math.trunc(float);
  return whole >= -9223372036854775808 && whole < 9223372036854775808 ? BigInt(whole) : MIN_INT64;
}
