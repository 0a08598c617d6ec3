const MIN_INT64 = -(2n ** 63n);

/** Go's int64(f) on amd64: truncation, and the smallest int64 for everything out of range. */
export function toInt64(float: number): bigint {
  const whole = Math.trunc(float);
  return whole >= -9223372036854775808 && whole < 9223372036854775808 ? BigInt(whole) : MIN_INT64;
}
