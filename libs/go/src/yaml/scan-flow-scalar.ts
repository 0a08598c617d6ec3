import { hexValue, isBlank, isBreak, isGapOrEnd } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import { YamlToken } from './token.ts';

/**
 * Returns the token of a plain scalar, which includes all following lines that are indented. Source: go.yaml.in/yaml/v2 scannerc.go
 * `yaml_parser_scan_plain_scalar`.
 *
 * @param indent column of the innermost block collection
 */
export function scanPlainScalar(cursor: Cursor, indent: number, context: 'flow' | 'block'): YamlToken {
  const { text } = cursor;
  const start = cursor.mark();
  /** Content of all lines before the current line. `joint` is the text between this content and the current line. */
  let content = '';
  let joint = '';
  /** Start offset of the scalar's part in the current line. */
  let from = cursor.at;
  let end = cursor.at;
  for (;;) {
    cursor.need(4);
    if (cursor.code === 0x23 || cursor.atDocumentMarker()) break;
    const word = cursor.at;
    const wordEnd = endOfWord(text, word, context);
    if (wordEnd > word) {
      if (joint !== '') {
        content += joint;
        joint = '';
        from = word;
      }
      end = wordEnd;
      cursor.at = wordEnd;
      cursor.need(2);
    }
    const code = text.charCodeAt(wordEnd);
    if (!isBlank(code) && !isBreak(code)) break;
    let after = wordEnd;
    while (isBlank(text.charCodeAt(after))) after += 1;
    cursor.at = after;
    cursor.need(1);
    if (isBreak(text.charCodeAt(after))) {
      content += text.slice(from, end);
      from = end;
      joint = passIndentedLines(cursor, indent);
    }
    if (context === 'block' && cursor.column <= indent) break;
  }
  return new YamlToken('plain scalar', start, end, content + text.slice(from, end));
}

/**
 * Returns the end of a word: the first blank, line end, or indicator that ends a plain scalar. If `context` is `flow` (inside a flow
 * collection), brackets, braces, commas and question marks are such indicators too.
 */
function endOfWord(text: string, from: number, context: 'flow' | 'block'): number {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    // Letters and digits come first, because most characters are among them.
    if (code > 0x3f && code < 0x5b) continue;
    if (code > 0x60 && code < 0x7b) continue;
    if (isGapOrEnd(code)) return at;
    if (code === 0x3a && isGapOrEnd(text.charCodeAt(at + 1))) return at;
    if (context === 'flow' && (code === 0x2c || code === 0x3f || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d))
      return at;
  }
}

/**
 * Moves past line ends and the blanks after them. Returns the text that they produce between the words. Throws if the indentation contains
 * a tab.
 */
function passIndentedLines(cursor: Cursor, indent: number): string {
  const first = cursor.readBreak();
  let others = '';
  for (;;) {
    cursor.need(1);
    const { code } = cursor;
    if (isBreak(code)) {
      others += cursor.readBreak();
    } else if (isBlank(code)) {
      if (code === 0x09 && cursor.column <= indent) throw cursor.fail('found a tab character that violates indentation');
      cursor.at += 1;
    } else {
      return foldBreaks(first, others);
    }
  }
}

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

/**
 * Returns the text that replaces the line ends between two parts of a scalar. A single line feed becomes a space. If there are several line
 * ends, the first is dropped. LS and PS are kept.
 *
 * @param first line end after the first part; empty if it is escaped
 * @param others line ends of the empty lines that follow
 */
export function foldBreaks(first: string, others: string): string {
  if (first !== '\n') return first + others;
  return others === '' ? ' ' : others;
}
