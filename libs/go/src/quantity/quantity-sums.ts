import { fitsInt64, MIN_INT64, powerOfTen, roundUpQuantity, SAFE_DIGITS } from './quantity.ts';
import type { Quantity } from './quantity.ts';

/**
 * Maximum difference between the scales of two summands, by the bounded rules. A summand that is finer is rounded first. Source:
 * k8s.io/apimachinery/pkg/api/resource/amount.go `maxScaleGap` (1.38.0-beta.0).
 */
const MAX_SCALE_GAP = 29;

/** Returns the sum `a + b` in the format of `a`. If `a` is zero, the result has the format of `b`. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return a.rules === 'bounded' ? (sumOfInts(a, b) ?? sumOfDecimals(a, b)) : combine(a, b, b.unscaled);
}

/** Returns `a - b` in the format of `a`. Source: k8s.io/apimachinery/pkg/api/resource/quantity.go `Sub` (1.37, 1.38.0-beta.0). */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  if (a.rules === 'bounded') {
    const negated = { ...b, unscaled: -b.unscaled };
    // The smallest int64 cannot be negated, so Go continues with decimals.
    const sum = !b.isDecimal && b.unscaled === MIN_INT64 ? undefined : sumOfInts(a, negated);
    return sum ?? sumOfDecimals(a, negated);
  }
  // Int64 values wrap around if the sum fits.
  const wrapped = combine(a, b, BigInt.asIntN(64, -b.unscaled));
  return wrapped.isDecimal ? combine(a, b, -b.unscaled) : wrapped;
}

function combine(a: Quantity, b: Quantity, added: bigint): Quantity {
  const format = formatOf(a, b);
  const isDecimal = a.isDecimal || b.isDecimal;
  if (!isDecimal) {
    if (added === 0n) return { ...a, format };
    if (a.unscaled === 0n) return { ...b, unscaled: added, format };
  }
  const scale = Math.min(a.scale, b.scale);
  const left = a.unscaled * powerOfTen(a.scale - scale);
  const right = added * powerOfTen(b.scale - scale);
  const sum = left + right;
  return { ...a, unscaled: sum, scale, isDecimal: isDecimal || !fitsInt64(left) || !fitsInt64(right) || !fitsInt64(sum), format };
}

const formatOf = (a: Quantity, b: Quantity): Quantity['format'] => (a.unscaled === 0n ? b.format : a.format);

/** Returns the sum of two int64 quantities. Returns undefined if a quantity is a decimal, or if an int64 overflows. */
function sumOfInts(a: Quantity, b: Quantity): Quantity | undefined {
  if (a.isDecimal || b.isDecimal) return undefined;
  const format = formatOf(a, b);
  if (b.unscaled === 0n) return { ...a, format };
  if (a.unscaled === 0n) return { ...b, format };
  if (Math.abs(a.scale - b.scale) > SAFE_DIGITS) return undefined;
  const sum = combine(a, b, b.unscaled);
  return sum.isDecimal ? undefined : sum;
}

/**
 * Returns the sum of two quantities as a decimal. If one is zero, the sum has the scale of the other. Source:
 * k8s.io/apimachinery/pkg/api/resource/amount.go `addDecBoundedScale`, `subDecBoundedScale` (1.38.0-beta.0).
 */
function sumOfDecimals(a: Quantity, b: Quantity): Quantity {
  const format = formatOf(a, b);
  if (b.unscaled === 0n) return { ...a, isDecimal: true, format };
  if (a.unscaled === 0n) return { ...b, isDecimal: true, format };
  const left = roundUpQuantity(a, b.scale - MAX_SCALE_GAP);
  const right = roundUpQuantity(b, a.scale - MAX_SCALE_GAP);
  const scale = Math.min(left.scale, right.scale);
  const unscaled = left.unscaled * powerOfTen(left.scale - scale) + right.unscaled * powerOfTen(right.scale - scale);
  return { ...a, unscaled, scale, isDecimal: true, format };
}
