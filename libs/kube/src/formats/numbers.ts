const ISBN10 = /^(?:[0-9]{9}X|[0-9]{10})$/;
const ISBN13 = /^[0-9]{13}$/;
const CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
const SSN = /^\d{3}[- ]?\d{2}[- ]?\d{4}$/;

const withoutSeparators = (text: string): string => text.replace(/[\t\n\f\r -]+/g, '');

/** Returns true if the text has the format `isbn10`. Source: kube-openapi internal/third_party/govalidator. */
export function isIsbn10(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!ISBN10.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (i + 1) * (digits[i] === 'X' ? 10 : Number(digits[i]));
  return sum % 11 === 0;
}

/** Returns true if the text has the format `isbn13`. */
export function isIsbn13(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!ISBN13.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (i % 2 === 0 ? 1 : 3) * Number(digits[i]);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

/** Returns true if the text has the format `isbn`, which is either `isbn10` or `isbn13`. */
export function isIsbn(text: string): boolean {
  return isIsbn10(text) || isIsbn13(text);
}

/**
 * Returns true if the text has the format `creditcard`: a known prefix and a correct check digit. All characters other than digits are
 * ignored.
 */
export function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!CARD.test(digits)) return false;
  let sum = 0;
  for (let i = digits.length - 1, double = false; i >= 0; i--, double = !double) {
    const digit = Number(digits[i]) * (double ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** Returns true if the text has the format `ssn`: a US social security number of eleven characters. */
export function isSsn(text: string): boolean {
  return text.length === 11 && SSN.test(text);
}
