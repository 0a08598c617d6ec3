/**
 * A float64 as Go's %v prints it: shortest digits, exponent form below 1e-4 and from 1e21 on, at least two exponent digits.
 * Source: Go fmt/format.go (`fmtFloat`, verb v).
 */
export function formatFloat(value: number): string {
  return formatShortest(value, 21);
}

/** A float64 as Go's %g (strconv 'g', precision -1) prints it: exponent form below 1e-4 and from 1e21 on. */
function formatShortest(value: number, exponentFrom: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Infinity) return '+Inf';
  if (value === -Infinity) return '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa, exponentText] = value.toExponential().split('e') as [string, string];
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= exponentFrom) {
    const digits = String(Math.abs(exponent)).padStart(2, '0');
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
  }
  const text = String(value);
  return text.includes('e') ? expand(mantissa, exponent) : text;
}

/** Digits without an exponent. */
function expand(mantissa: string, exponent: number): string {
  const negative = mantissa.startsWith('-');
  const digits = mantissa.replace('-', '').replace('.', '');
  const sign = negative ? '-' : '';
  return exponent < 0 ? `${sign}0.${'0'.repeat(-exponent - 1)}${digits}` : sign + digits.padEnd(exponent + 1, '0');
}

/** A float64 as Go's encoding/json prints it: exponent form below 1e-6 and from 1e21 on; integral values without a point. */
export function formatJsonFloat(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
