const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * Returns an ASCII text of the given length in code points. Texts with different indices share a long prefix and differ only in their last
 * characters. Texts with different indices always differ if all indices are below 62 to the power of `length`.
 *
 * @param index Integer from 0 on.
 */
export function generatedText(length: number, index: number): string {
  let tail = '';
  for (let rest = index; rest > 0 && tail.length < length; rest = Math.floor(rest / DIGITS.length)) {
    tail = DIGITS.charAt(rest % DIGITS.length) + tail;
  }
  return DIGITS.charAt(0).repeat(length - tail.length) + tail;
}

/**
 * Returns a text of the given length in code points that repeats `period`. The last repetition may be incomplete. A search for a text
 * similar to the period must compare many characters at each position of this text. The result is empty if `period` is empty.
 */
export function periodicText(period: string, length: number): string {
  const characters = [...period];
  if (characters.length === 0) return '';
  const rest = characters.slice(0, length % characters.length).join('');
  return period.repeat(Math.floor(length / characters.length)) + rest;
}
