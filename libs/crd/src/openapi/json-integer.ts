import { floatOf } from '#kube';
import type { JsonValue } from '#kube';

const MAX_JSON_FLOAT = 2 ** 53 - 1;
const EPSILON = 1e-9;

/**
 * True for a float64 that counts as an integer: exact, or positive and within a relative 1e-9, up to ±(2^53−1).
 * Source: go-openapi/swag `IsFloat64AJSONInteger`.
 */
export function isIntegralFloat(float: number): boolean {
  if (!(Math.abs(float) <= MAX_JSON_FLOAT)) return false;
  if (Number.isInteger(float)) return true;
  // Go converts negative floats to uint64 by wrapping, so only positive ones can be nearly integral.
  if (float < 1) return false;
  const whole = Math.trunc(float);
  return (float - whole) / (float + whole) < EPSILON;
}

/** {@link isIntegralFloat} of a float value. */
export function isJsonInteger(value: JsonValue): boolean {
  const float = floatOf(value);
  return float !== undefined && isIntegralFloat(float);
}
