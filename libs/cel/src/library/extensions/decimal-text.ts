/** Returns a positive double as an exact fraction: `mantissa · 2^exponent`. */
function parts(double: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, double);
  const bits = view.getBigUint64(0);
  const raw = Number((bits >> 52n) & 0x7ffn);
  return { mantissa: (bits & 0xf_ffff_ffff_ffffn) | (raw === 0 ? 0n : 1n << 52n), exponent: Math.max(raw, 1) - 1075 };
}

/** Returns `numerator / denominator`, rounded to the nearest integer. A tie is rounded to the even integer. */
function divideToEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const rest = (numerator % denominator) * 2n;
  return rest > denominator || (rest === denominator && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

/** Returns `double · 10^power`, rounded to the nearest integer. A tie is rounded to the even integer. The double must not be negative. */
function scaled(double: number, power: number): bigint {
  const { mantissa, exponent } = parts(double);
  const numerator = mantissa * 10n ** BigInt(Math.max(power, 0)) * 2n ** BigInt(Math.max(exponent, 0));
  return divideToEven(numerator, 10n ** BigInt(Math.max(-power, 0)) * 2n ** BigInt(Math.max(-exponent, 0)));
}

/** Returns a finite double without its sign as Go's %.nf prints it, with the given number of digits after the decimal point. */
export function fixedDigits(double: number, digits: number): string {
  const text = scaled(Math.abs(double), digits)
    .toString()
    .padStart(digits + 1, '0');
  const point = text.length - digits;
  return digits === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`;
}

/** Returns a finite double without its sign as Go's %.ne prints it: as digits `d.ddd` and a power of ten. */
export function scientificDigits(double: number, digits: number): { readonly mantissa: string; readonly exponent: number } {
  const size = Math.abs(double);
  if (size === 0) return { mantissa: `0.${'0'.repeat(digits)}`, exponent: 0 };
  let exponent = Number(size.toExponential().split('e')[1]);
  let text = scaled(size, digits - exponent).toString();
  if (text.length > digits + 1) {
    exponent++;
    text = scaled(size, digits - exponent).toString();
  }
  return { mantissa: `${text.charAt(0)}.${text.slice(1)}`, exponent };
}
