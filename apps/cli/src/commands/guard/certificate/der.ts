// Distinguished Encoding Rules (X.690), as far as a certificate needs them. A library for X.509 would make the package a sixth larger.

const LONG_FORM = 0x80;

/** Returns the DER of an element: its tag, its length, and its contents one after another. */
function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < LONG_FORM) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const digits = content.length.toString(16);
  const length = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return Buffer.concat([Buffer.from([tag, LONG_FORM | length.length]), length, content]);
}

/** Returns the DER of a SEQUENCE. */
export const sequence = (...contents: readonly Uint8Array[]): Buffer => element(0x30, ...contents);
/** Returns the DER of a SET of one element. */
export const set = (content: Uint8Array): Buffer => element(0x31, content);
/** Returns the DER of an OCTET STRING. */
export const octets = (content: Uint8Array): Buffer => element(0x04, content);
/** Returns the DER of a UTF8String. */
export const utf8 = (text: string): Buffer => element(0x0c, Buffer.from(text));
/** DER of BOOLEAN TRUE. FALSE is not needed, because DER omits a value that equals its default. */
export const TRUE = element(0x01, Buffer.from([0xff]));
/** Returns the DER of an element with an explicit context tag, such as `[0]` or `[3]`. `place` is the tag number. */
export const explicit = (place: number, content: Uint8Array): Buffer => element(0xa0 | place, content);
/** Returns the DER of bytes with an implicit context tag, which replaces the tag of their type. `place` is the tag number. */
export const implicit = (place: number, content: Uint8Array): Buffer => element(0x80 | place, content);

/** Returns the DER of a non-negative INTEGER. `bytes` is its magnitude, big-endian. */
export function positive(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.from([0]) : bytes.subarray(first);
  // The first bit is the sign, so a zero byte precedes a number whose first bit is set.
  return element(0x02, (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits);
}

/** Returns the DER of a BIT STRING. `unused` is the number of bits at the end of the last byte that are not part of the bit string. */
export const bits = (content: Uint8Array, unused = 0): Buffer => element(0x03, Buffer.from([unused]), content);

/** Returns the DER of an OBJECT IDENTIFIER, given in dotted notation. */
export function identifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}

/** Returns the DER of a time: a UTCTime before 2050, a GeneralizedTime from then on, as RFC 5280 (4.1.2.5) requires. */
export function time(date: Date): Buffer {
  const text = `${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`;
  return date.getUTCFullYear() < 2050 ? element(0x17, Buffer.from(text.slice(2))) : element(0x18, Buffer.from(text));
}
