import type { Token } from '#cel';

/** Returns true if the token at `index` follows a dot. A name at this position is a field or a method. */
export const isMember = (tokens: readonly Token[], index: number): boolean =>
  tokens[index - 1]?.kind === '.' || (tokens[index - 1]?.kind === '?' && tokens[index - 2]?.kind === '.');

/** Returns the offset in UTF-16 code units of each code point of a text, and of the end of the text. */
export function utf16Offsets(text: string): number[] {
  const offsets: number[] = [];
  let at = 0;
  for (const character of text) {
    offsets.push(at);
    at += character.length;
  }
  return [...offsets, at];
}
