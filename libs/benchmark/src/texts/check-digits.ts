/** A kind of number that ends with a check digit. */
export interface CheckedNumber {
  /** Pattern in RE2 syntax for all digits except the last one. */
  readonly digits: string;
  /** Returns the check digit (or `X`) that follows `digits`. */
  readonly checkDigit: (digits: string) => string;
  /** Indices of the digits, from 0, before which the usual form of the number may have a dash. */
  readonly dashes: readonly number[];
}

/** Returns the check digit of a credit card number. Source: Luhn's formula, as kube-openapi pkg/validation/strfmt checks credit cards. */
function luhnDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

/** Returns the check digit of an ISBN with ten digits. Source: ISO 2108, for numbers of ten digits. */
function isbn10Digit(digits: string): string {
  const rest = [...digits].reduce((total, digit, i) => total + (i + 1) * Number(digit), 0) % 11;
  return rest === 10 ? 'X' : String(rest);
}

/** Returns the check digit of an ISBN with thirteen digits. Source: ISO 2108, for numbers of thirteen digits. */
function isbn13Digit(digits: string): string {
  const sum = [...digits].reduce((total, digit, i) => total + (i % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return String((10 - (sum % 10)) % 10);
}

const CARDS: readonly CheckedNumber[] = [
  { digits: '^4[0-9]{11}$', checkDigit: luhnDigit, dashes: [4, 8] },
  { digits: '^36[0-9]{11}$', checkDigit: luhnDigit, dashes: [4, 10] },
  { digits: '^3[47][0-9]{12}$', checkDigit: luhnDigit, dashes: [4, 10] },
  { digits: '^(?:4[0-9]{14}|5[1-5][0-9]{13})$', checkDigit: luhnDigit, dashes: [4, 8, 12] },
];
const ISBN10: CheckedNumber = { digits: '^[0-9]{9}$', checkDigit: isbn10Digit, dashes: [1, 4, 9] };
const ISBN13: CheckedNumber = { digits: '^97[89][0-9]{9}$', checkDigit: isbn13Digit, dashes: [3, 4, 8, 12] };

/**
 * Kinds of numbers with a check digit, by the name of their string format without dashes. The kinds of one format are sorted from short
 * numbers to long numbers.
 */
export const CHECKED_NUMBERS: ReadonlyMap<string, readonly CheckedNumber[]> = new Map<string, readonly CheckedNumber[]>([
  ['creditcard', CARDS],
  ['isbn10', [ISBN10]],
  ['isbn13', [ISBN13]],
  ['isbn', [ISBN10, ISBN13]],
]);
