const MIN_INT64 = -(2n ** 63n);

/**
 * Converts a float to an integer like Go's `int64(f)` on amd64: it truncates, and returns the smallest int64 for every value out of range.
 */
export function toInt64(float: number): bigint {
  const whole = Math.trunc(float);
  return whole >= -9223372036854775808 && whole < 9223372036854775808 ? BigInt(whole) : MIN_INT64;
}
