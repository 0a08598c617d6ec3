import { floatOf } from '#kube';
import type { JsonValue } from '#kube';

const MAX_JSON_FLOAT = 2 ** 53 - 1;
const EPSILON = 1e-9;

/**
 * True for a float64 that counts as an integer: exact, or within a relative 1e-9 of one, up to ±(2^53−1).
 * Source: go-openapi/swag conv/convert.go `IsFloat64AJSONInteger` (v0.27.1).
 */
export function isIntegralFloat(float: number): boolean {
  if (!(Math.abs(float) <= MAX_JSON_FLOAT)) return false;
  const magnitude = Math.abs(float);
  const whole = Math.round(magnitude);
  return magnitude === whole || (whole !== 0 && Math.abs(magnitude - whole) < EPSILON * whole);
}

/** {@link isIntegralFloat} of a float value. */
export function isJsonInteger(value: JsonValue): boolean {
  const float = floatOf(value);
  return float !== undefined && isIntegralFloat(float);
}
