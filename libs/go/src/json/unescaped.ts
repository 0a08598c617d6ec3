/** What stands for a character of its own behind a backslash. */
const ESCAPES: ReadonlyMap<number, string> = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(([letter, text]) => [
    letter.charCodeAt(0),
    text,
  ]),
);

const LETTER_U = 0x75;
/** Hexadecimal digits behind `\u`. */
const DIGITS = 4;

/**
 * A string as JSON writes it between its quotes, without its escapes; undefined where they are wrong, or make a lone surrogate, which Go replaces. Other characters
 * are not looked at.
 */
export function unescaped(text: string): string | undefined {
  let result = '';
  let from = 0;
  let holdsUnits = false;
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', from)) {
    const letter = text.charCodeAt(at + 1);
    const simple = ESCAPES.get(letter);
    const unit = simple ?? (letter === LETTER_U ? unitOf(text.slice(at + 2, at + 2 + DIGITS)) : undefined);
    if (unit === undefined) return undefined;
    if (simple === undefined) holdsUnits = true;
    result += text.slice(from, at) + unit;
    from = at + 2 + (simple === undefined ? DIGITS : 0);
  }
  result += text.slice(from);
  return !holdsUnits || result.isWellFormed() ? result : undefined;
}

function unitOf(digits: string): string | undefined {
  return /^[0-9a-fA-F]{4}$/.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : undefined;
}
