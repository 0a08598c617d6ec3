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
    // White space that YAML folded away has no character in the value.
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
