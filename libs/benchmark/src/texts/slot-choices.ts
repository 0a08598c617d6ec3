import type { Consumer } from '#go';

/** Maximum number of characters beyond ASCII that are collected. */
const ENOUGH_BEYOND_ASCII = 64;
const LAST_CODE_POINT = 0x10ffff;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

const LETTERS_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** All printable characters of ASCII: first letters and digits, then all others. */
const PRINTABLE: readonly string[] = [...LETTERS_AND_DIGITS, ...'-_.~/:+@=,;!*()&%$#?^|<>{}[]`\'"\\ '];
const CONTROLS: readonly string[] = ['\t', '\n', '\r', ...characters(1, 31), '\u007f'];

/** Characters for generated texts. They fill the text before and after a match if the pattern is not anchored there. */
export const FILLERS: readonly string[] = [...LETTERS_AND_DIGITS];

/**
 * Returns characters that `consumer` matches: the matching printable characters of ASCII. If there are none, returns the matching control
 * characters of ASCII. If there are none either, returns up to 64 matching characters beyond ASCII, or an empty list.
 */
export function choicesOf(consumer: Consumer): readonly string[] {
  const takes = (character: string): boolean => consumer.matchRune(character.codePointAt(0) as number);
  const printable = PRINTABLE.filter(takes);
  if (printable.length > 0) return printable;
  const controls = CONTROLS.filter(takes);
  if (controls.length > 0) return [...new Set(controls)];
  const others = othersOf(consumer);
  return others.length > 0 || !consumer.matchRune(0) ? others : ['\0'];
}

function othersOf(consumer: Consumer): string[] {
  const found: string[] = [];
  // Control characters of Latin-1 come last, because most programs do not display them.
  for (const [first, last] of [
    [0xa0, FIRST_SURROGATE - 1],
    [LAST_SURROGATE + 1, LAST_CODE_POINT],
    [0x80, 0x9f],
  ] as const) {
    for (let rune = first; rune <= last; rune++) {
      if (!consumer.matchRune(rune)) continue;
      found.push(String.fromCodePoint(rune));
      if (found.length === ENOUGH_BEYOND_ASCII) return found;
    }
    if (found.length > 0) return found;
  }
  return found;
}

function characters(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i));
}
