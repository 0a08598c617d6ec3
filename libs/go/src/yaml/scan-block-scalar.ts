import { isBlank, isBreak, isBreakOrEnd, isDigit } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import { foldBreaks } from './scan-flow-scalar.ts';
import { YamlToken } from './token.ts';

/**
 * Treatment of the line ends after the last line of a block scalar. Under `strip` (`-`), all line ends are dropped. The default `clip`
 * keeps the first line end, and `keep` (`+`) keeps all.
 */
type Chomping = 'strip' | 'clip' | 'keep';

/** Indicators in the header of a block scalar, after the `|` or `>`. */
interface Header {
  readonly chomping: Chomping;
  /**
   * Number of columns by which the scalar is indented more than the surrounding collection. It is 0 if the first non-empty line determines
   * the indentation.
   */
  readonly increment: number;
}

/** Empty lines and indentation before a line of content. */
interface Gap {
  readonly indent: number;
  /** Line ends of the empty lines, as text. */
  readonly breaks: string;
}

/**
 * Returns a literal (`|`) or folded (`>`) scalar. Source: go.yaml.in/yaml/v2 scannerc.go `yaml_parser_scan_block_scalar`.
 *
 * @param parent the column of the innermost block collection, or -1
 */
export function scanBlockScalar(cursor: Cursor, parent: number): YamlToken {
  const { text } = cursor;
  const start = cursor.mark();
  const literal = cursor.code === 0x7c;
  cursor.at += 1;
  const { chomping, increment } = scanHeader(cursor);
  endHeaderLine(cursor);
  let { indent, breaks } = passGap(cursor, increment === 0 ? 0 : Math.max(parent, 0) + increment, parent);
  let content = '';
  /** Line end after the last line that was read. */
  let lineEnd = '';
  let indented = false;
  let end = cursor.at;
  while (cursor.column === indent && !cursor.ended) {
    const blank = isBlank(cursor.code);
    // YAML does not fold the line breaks before and after a line with more indentation.
    if (!literal && !indented && !blank && lineEnd === '\n') content += foldBreaks(lineEnd, breaks);
    else content += lineEnd + breaks;
    indented = blank;
    const from = cursor.at;
    cursor.skipLineContent();
    end = cursor.at;
    content += text.slice(from, end);
    cursor.need(2);
    lineEnd = isBreak(cursor.code) ? cursor.readBreak() : '';
    breaks = passGap(cursor, indent, parent).breaks;
  }
  if (chomping !== 'strip') content += lineEnd;
  if (chomping === 'keep') content += breaks;
  return new YamlToken('block scalar', start, end, content);
}

function scanHeader(cursor: Cursor): Header {
  cursor.need(1);
  let chomping = scanChomping(cursor);
  const increment = scanIncrement(cursor);
  chomping ??= increment === 0 ? undefined : scanChomping(cursor);
  return { chomping: chomping ?? 'clip', increment };
}

function scanChomping(cursor: Cursor): Chomping | undefined {
  const { code } = cursor;
  if (code !== 0x2b && code !== 0x2d) return undefined;
  cursor.at += 1;
  cursor.need(1);
  return code === 0x2b ? 'keep' : 'strip';
}

function scanIncrement(cursor: Cursor): number {
  const { code } = cursor;
  if (!isDigit(code)) return 0;
  if (code === 0x30) throw cursor.fail('found an indentation indicator equal to 0');
  cursor.at += 1;
  cursor.need(1);
  return code - 0x30;
}

function endHeaderLine(cursor: Cursor): void {
  cursor.need(1);
  while (isBlank(cursor.code)) cursor.at += 1;
  cursor.need(1);
  if (cursor.code === 0x23) cursor.skipLineContent();
  if (!isBreakOrEnd(cursor.code)) throw cursor.fail('did not find expected comment or line break');
  cursor.skipBreak();
}

/**
 * Moves past empty lines and indentation. If `indent` is 0, the function determines the scalar's indentation from the spaces that it finds;
 * it is then greater than the column `parent`. Throws if a tab occurs in the indentation. Source: scannerc.go
 * `yaml_parser_scan_block_scalar_breaks`.
 */
function passGap(cursor: Cursor, indent: number, parent: number): Gap {
  let breaks = '';
  let deepest = 0;
  const limit = indent === 0 ? Infinity : indent;
  for (;;) {
    cursor.need(1);
    cursor.skipSpaces(limit);
    cursor.need(1);
    const { column, code } = cursor;
    deepest = Math.max(deepest, column);
    if (code === 0x09 && column < limit) {
      throw cursor.fail('found a tab character where an indentation space is expected');
    }
    if (!isBreak(code)) break;
    cursor.need(2);
    breaks += cursor.readBreak();
  }
  return { indent: indent === 0 ? Math.max(deepest, parent + 1, 1) : indent, breaks };
}
