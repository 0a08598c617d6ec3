import { hexValue, isBlank, isBreak, isGapOrEnd } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import { foldBreaks } from './fold-breaks.ts';
import { YamlToken } from './token.ts';

const SINGLE = 0x27;
const BACKSLASH = 0x5c;

/** Table from the letter after a backslash to the escaped character. Unlike YAML 1.2, this table has no `\/`. */
const ESCAPES: ReadonlyMap<number, string> = new Map(
  Object.entries({
    '0': '\0',
    a: '\u0007',
    b: '\b',
    t: '\t',
    '\t': '\t',
    n: '\n',
    v: '\v',
    f: '\f',
    r: '\r',
    e: '\u001b',
    ' ': ' ',
    '"': '"',
    "'": "'",
    '\\': '\\',
    N: '\u0085',
    _: '\u00a0',
    L: '\u2028',
    P: '\u2029',
  }).map(([letter, text]) => [letter.charCodeAt(0), text]),
);

/** Number of hexadecimal digits after `\x`, `\u` and `\U`. */
const DIGITS: ReadonlyMap<number, number> = new Map([
  [0x78, 2],
  [0x75, 4],
  [0x55, 8],
]);

/** Returns a scalar in single or double quotes. Source: go.yaml.in/yaml/v2 scannerc.go `yaml_parser_scan_flow_scalar`. */
export function scanQuotedScalar(cursor: Cursor): YamlToken {
  const { text } = cursor;
  const start = cursor.mark();
  const quote = cursor.code;
  cursor.at += 1;
  let content = '';
  for (;;) {
    cursor.need(4);
    if (cursor.atDocumentMarker()) throw cursor.fail('found unexpected document indicator');
    if (cursor.ended) throw cursor.fail('found unexpected end of stream');
    const from = cursor.at;
    let at = from;
    /** Offset after the last character that is not blank. */
    let solid = from;
    let code = text.charCodeAt(at);
    for (;;) {
      if (code === quote || (code === BACKSLASH && quote !== SINGLE)) break;
      if (!isGapOrEnd(code)) solid = at + 1;
      else if (!isBlank(code)) break;
      code = text.charCodeAt(++at);
    }
    cursor.at = at;
    cursor.need(2);
    if (code === quote) {
      content += text.slice(from, at);
      if (quote !== SINGLE || text.charCodeAt(at + 1) !== SINGLE) break;
      content += "'";
      cursor.at = at + 2;
    } else if (code === BACKSLASH) {
      content += text.slice(from, at);
      content += isBreak(text.charCodeAt(at + 1)) ? passEscapedBreak(cursor) : readEscape(cursor);
    } else {
      content += text.slice(from, solid);
      if (isBreak(code)) content += passLines(cursor, cursor.readBreak());
    }
  }
  cursor.at += 1;
  return new YamlToken('quoted scalar', start, cursor.at, content);
}

function passEscapedBreak(cursor: Cursor): string {
  cursor.at += 1;
  cursor.skipBreak();
  return passLines(cursor, '');
}

/**
 * Moves past blanks and empty lines at the beginning of a line. `first` is the line end before them. Returns the text that replaces this
 * line end, the blanks and the empty lines.
 */
function passLines(cursor: Cursor, first: string): string {
  let others = '';
  for (;;) {
    cursor.need(1);
    const { code } = cursor;
    if (isBreak(code)) others += cursor.readBreak();
    else if (isBlank(code)) cursor.at += 1;
    else return foldBreaks(first, others);
  }
}

function readEscape(cursor: Cursor): string {
  const { text } = cursor;
  const letter = text.charCodeAt(cursor.at + 1);
  const escaped = ESCAPES.get(letter);
  if (escaped !== undefined) {
    cursor.at += 2;
    return escaped;
  }
  const digits = DIGITS.get(letter);
  if (digits === undefined) throw cursor.fail('found unknown escape character');
  cursor.at += 2;
  cursor.need(digits);
  let value = 0;
  for (let i = 0; i < digits; i++) {
    const digit = hexValue(text.charCodeAt(cursor.at + i));
    if (digit < 0) throw cursor.fail('did not find expected hexdecimal number');
    value = value * 16 + digit;
  }
  if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) throw cursor.fail('found invalid Unicode character escape code');
  cursor.at += digits;
  return String.fromCodePoint(value);
}
