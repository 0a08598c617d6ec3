const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * Returns an ASCII text of a length in code points. Texts of different indices share a long prefix and differ in their
 * last characters, if 62 to the power of `length` exceeds the indices.
 * @param index an integer from 0 on
 */
export function plainText(length: number, index: number): string {
  let tail = '';
  for (let rest = index; rest > 0 && tail.length < length; rest = Math.floor(rest / DIGITS.length)) {
    tail = DIGITS.charAt(rest % DIGITS.length) + tail;
  }
  return DIGITS.charAt(0).repeat(length - tail.length) + tail;
}

/**
 * Returns a text of a length in code points that consists of a period again and again, the last time in part. A search for a text that resembles
 * the period goes far in it at each place. Empty if the period is.
 */
export function periodicText(period: string, length: number): string {
  const characters = [...period];
  if (characters.length === 0) return '';
  const rest = characters.slice(0, length % characters.length).join('');
  return period.repeat(Math.floor(length / characters.length)) + rest;
}
