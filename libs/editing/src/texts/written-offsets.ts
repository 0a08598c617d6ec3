/** Number of hexadecimal digits after each escape letter in a double-quoted string. */
const DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/**
 * Returns, for each character of a scalar's value, its offset in the scalar's written text. The function compares value and text character
 * by character and skips white space.
 *
 * Plain and single-quoted scalars differ from their value only in white space (indentation, folded lines) and doubled quotes. Double-quoted
 * scalars also have escapes.
 *
 * @param written the text of the scalar, with its quotes or its block header
 * @param value the value of the scalar
 * @returns offsets in `written`, in UTF-16 code units: one for each code unit of `value`, and one for its end
 */
export function writtenOffsets(written: string, value: string): Uint32Array {
  const quote = written[0] === '"' || written[0] === "'" ? written[0] : '';
  const offsets = new Uint32Array(value.length + 1);
  let at = quote === '' ? headerLength(written) : 1;
  for (let i = 0; i < value.length;) {
    if (!isSpace(value[i])) at = skipSpace(written, at, quote);
    const { units, length } = characterAt(written, at, quote);
    offsets.fill(at, i, i + units);
    // If the value has white space where the text has none, this white space takes no character of the text.
    if (!isSpace(value[i]) || isSpace(written[at]) || length > 1) at += length;
    i += units;
  }
  offsets[value.length] = at;
  return offsets;
}

/** Returns the length of a block scalar's header, such as `|2-`, including its comment and line break; 0 for any other scalar. */
function headerLength(written: string): number {
  if (written[0] !== '|' && written[0] !== '>') return 0;
  const newline = written.indexOf('\n');
  return newline < 0 ? written.length : newline + 1;
}

const isSpace = (character: string | undefined): boolean => character !== undefined && /\s/.test(character);

/**
 * Returns the offset of the first character at or after `from` that is not white space. Escaped line breaks in double quotes are skipped
 * too.
 */
function skipSpace(written: string, from: number, quote: string): number {
  let at = from;
  for (;;) {
    if (isSpace(written[at])) at++;
    else if (quote === '"' && written[at] === '\\' && (written[at + 1] === '\n' || written[at + 1] === '\r')) at += 2;
    else return at;
  }
}

/** Returns the length of the character at `at` in UTF-16 code units: `units` in the value, and `length` in the written text. */
function characterAt(written: string, at: number, quote: string): { readonly units: number; readonly length: number } {
  if (quote === "'" && written.startsWith("''", at)) return { units: 1, length: 2 };
  if (quote !== '"' || written[at] !== '\\') return { units: 1, length: 1 };
  const digits = DIGITS[written[at + 1] ?? ''] ?? 0;
  const code = digits === 0 ? 0 : Number.parseInt(written.slice(at + 2, at + 2 + digits), 16);
  return { units: code > 0xffff ? 2 : 1, length: 2 + digits };
}

/**
 * Converts the line and column of an error to an offset in the expression, in UTF-16 code units. Line and column count from 1, and the
 * column is in code points. The offset is at most the length of the expression.
 */
export function offsetInExpression(expression: string, line: number, column: number): number {
  const lines = expression.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const within = [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
  return Math.min(before + within, expression.length);
}

/** Pattern of a dot and the field that it selects. The name of the field may be in backticks. */
const SELECTED_FIELD = /^\.\??\s*(?:\w+|`[^`\n]*`)/;

/**
 * Returns the number of characters to which an error in an expression refers, in UTF-16 code units. The compiler reports an undefined field
 * at its dot: the range then includes the name of the field. Every other error refers to one character.
 *
 * @param at offset at which the compiler reports the error
 */
export function lengthInExpression(expression: string, at: number, message: string): number {
  if (!message.includes('undefined field')) return 1;
  return SELECTED_FIELD.exec(expression.slice(at))?.[0].length ?? 1;
}
