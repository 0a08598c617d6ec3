/** Bits of the result of {@link classOf}. Each bit represents one class of characters. */
const BLANK = 1;
const BREAK = 2;
const END = 4;
const WORD = 8;
const URI = 16;
const DIGIT = 32;

/** Character that the scanner reads after the end of the text. It cannot occur inside a text, because libyaml rejects it. */
export const END_OF_TEXT = 0;

const LINE_SEPARATOR = 0x2028;
const PARAGRAPH_SEPARATOR = 0x2029;

const CLASSES = new Uint8Array(256);
function mark(characters: string, bit: number): void {
  for (let i = 0; i < characters.length; i++) CLASSES[characters.charCodeAt(i)]! |= bit;
}
const DIGITS = '0123456789';
const WORD_CHARACTERS = `${DIGITS}ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-`;
mark(' \t', BLANK);
mark('\n\r\u0085', BREAK);
mark('\0', END);
mark(WORD_CHARACTERS, WORD);
mark(`${WORD_CHARACTERS};/?:@&=+$,.!~*'()[]%`, URI);
mark(DIGITS, DIGIT);

function classOf(code: number): number {
  if (code < 256) return CLASSES[code] as number;
  return code === LINE_SEPARATOR || code === PARAGRAPH_SEPARATOR ? BREAK : 0;
}

/** Returns true if the character is a space or a tab. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** Returns true if the character is a space. */
export function isSpace(code: number): boolean {
  return code === 0x20;
}

/** Returns true if the character is a line end: LF, CR, NEL, LS or PS. */
export function isBreak(code: number): boolean {
  return (classOf(code) & BREAK) !== 0;
}

/** Returns true if the character is a line end or the end of the text. */
export function isBreakOrEnd(code: number): boolean {
  return (classOf(code) & (BREAK | END)) !== 0;
}

/** Returns true if the character is a space, a tab, a line end, or the end of the text. */
export function isGapOrEnd(code: number): boolean {
  return (classOf(code) & (BLANK | BREAK | END)) !== 0;
}

/** Returns true if names of anchors, directives and tag handles may contain the character: `[0-9A-Za-z_-]`. */
export function isWord(code: number): boolean {
  return (classOf(code) & WORD) !== 0;
}

/** Returns true if a tag may contain the character without an escape. */
export function isUri(code: number): boolean {
  return (classOf(code) & URI) !== 0;
}

/** Returns true if the code point is an ASCII digit, 0 … 9. */
export function isDigit(code: number): boolean {
  return (classOf(code) & DIGIT) !== 0;
}

/** Returns the value of a hexadecimal digit, or -1 for any other character. */
export function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}
