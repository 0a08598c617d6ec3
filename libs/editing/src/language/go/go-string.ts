/** String literal in Go source, with the source offset of each of its characters. */
export interface GoString {
  readonly text: string;
  /** Offset in the source of each UTF-16 code unit of the text, and of the end of the text. */
  readonly offsets: readonly number[];
  /** Offset in the source after the closing quote. */
  readonly end: number;
}

/** Characters that are written as a backslash and one letter, by letter. Source: Go language specification, "Rune literals". */
const LETTERS: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
};
/** Number of hexadecimal digits that follow the letter of an escape sequence, by letter. */
const DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/**
 * Reads the string literal at an offset. Escape sequences are decoded in double quotes, but not in backquotes. Returns undefined if the
 * offset has no literal, the literal is not closed on its line, or an escape sequence is invalid.
 */
export function readGoString(source: string, start: number): GoString | undefined {
  const quote = source[start];
  if (quote !== '"' && quote !== '`') return undefined;
  let text = '';
  const offsets: number[] = [];
  const add = (characters: string, at: number): void => {
    for (let i = 0; i < characters.length; i++) offsets.push(at);
    text += characters;
  };
  for (let at = start + 1; at < source.length;) {
    const character = source[at] as string;
    if (character === quote) return { text, offsets: [...offsets, at], end: at + 1 };
    if (character === '\n') return undefined;
    if (quote === '`' || character !== '\\') {
      add(character, at);
      at += 1;
      continue;
    }
    const escape = escapeAt(source, at + 1);
    if (escape === undefined) return undefined;
    add(escape.text, at);
    at += 1 + escape.length;
  }
  return undefined;
}

/**
 * Returns the character that an escape sequence encodes, and the length of the sequence without its backslash. `at` is the offset after the
 * backslash. Returns undefined for an octal escape and for an invalid sequence.
 */
function escapeAt(source: string, at: number): { readonly text: string; readonly length: number } | undefined {
  const letter = source[at] ?? '';
  if (Object.hasOwn(LETTERS, letter)) return { text: LETTERS[letter] as string, length: 1 };
  if (!Object.hasOwn(DIGITS, letter)) return undefined;
  const digits = source.slice(at + 1, at + 1 + (DIGITS[letter] as number));
  if (digits.length < (DIGITS[letter] as number) || !/^[0-9a-fA-F]+$/.test(digits)) return undefined;
  const code = Number.parseInt(digits, 16);
  return code > 0x10ffff ? undefined : { text: String.fromCodePoint(code), length: 1 + digits.length };
}
