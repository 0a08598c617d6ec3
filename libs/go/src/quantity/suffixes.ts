import { machineInteger } from '../text/machine-integer.ts';
import { fitsInt64 } from './quantity.ts';
import type { QuantityFormat } from './quantity.ts';

const DECIMAL_SUFFIXES: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY_SUFFIXES: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** Suffix of a number of factors of 1024, by this number. */
export const BINARY_STEPS: readonly string[] = ['', ...Object.keys(BINARY_SUFFIXES)];

/** Suffix of a quantity: its notation, and the exponent of 10, or of 2 for `BinarySI`, as an int32. */
export interface Suffix {
  readonly exponent: number;
  readonly format: QuantityFormat;
}

/** Returns the meaning of a suffix, or undefined if there is no such suffix. An exponent wraps around like an int32. */
export function readSuffix(text: string): Suffix | undefined {
  if (Object.hasOwn(DECIMAL_SUFFIXES, text)) return { exponent: DECIMAL_SUFFIXES[text] as number, format: 'DecimalSI' };
  if (Object.hasOwn(BINARY_SUFFIXES, text)) return { exponent: BINARY_SUFFIXES[text] as number, format: 'BinarySI' };
  const match = /^[eE]([+-]?\d+)$/.exec(text);
  if (match === null) return undefined;
  const exponent = machineInteger(match[1] as string);
  return exponent !== undefined && fitsInt64(exponent)
    ? { exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' }
    : undefined;
}

/** Returns the SI suffix of a power of ten, or undefined if it has none. */
export function decimalSuffix(exponent: number): string | undefined {
  return Object.entries(DECIMAL_SUFFIXES).find(([, power]) => power === exponent)?.[0];
}
