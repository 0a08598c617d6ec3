import { isBlank, isBreak, isGapOrEnd } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import { foldBreaks } from './fold-breaks.ts';
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
      joint = passLines(cursor, indent);
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
function passLines(cursor: Cursor, indent: number): string {
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
