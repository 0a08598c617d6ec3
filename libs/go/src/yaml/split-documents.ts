import { Cancelled } from '../cancellation.ts';
import type { CancellationToken } from '../cancellation.ts';

/** One document of a stream, with the line on which it begins (from 1). */
export interface YamlStreamPart {
  readonly bytes: Uint8Array;
  readonly line: number;
}

/** Number of lines between two checks of the cancellation token. */
const POLL_INTERVAL = 256;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const PERCENT = 0x25;
const DASH = 0x2d;
const POINT = 0x2e;

/**
 * Kind of a line in a stream. `empty` has only white space or a comment. `separator` is a `---` with content on its line, `bare` is a
 * separator line without content, and `end` is a `...` line.
 */
type LineKind = 'empty' | 'directive' | 'bare' | 'separator' | 'end' | 'content';

/**
 * Splits a YAML stream at its `---` and `...` lines, as kubectl does. Parts that only have comments and white space are left out. Content
 * on the line of a separator is part of the document that the separator starts. Directives are part of the next document. Bytes are not
 * decoded, so that the YAML reader can report invalid characters. A stream in UTF-16 counts as one document. Each line is read once, on
 * demand. Throws `Cancelled` if the token is cancelled.
 */
export function* splitDocuments(stream: Uint8Array, token?: CancellationToken): Generator<YamlStreamPart, void> {
  if (isUtf16(stream)) return yield { bytes: stream, line: 1 };
  let from = 0;
  let fromLine = 1;
  /** Kind of content that was found so far in the current part. */
  let holds: 'nothing' | 'directives' | 'content' = 'nothing';
  let line = 1;
  for (let at = 0; at < stream.length; line++) {
    if (line % POLL_INTERVAL === 0 && token?.cancelled === true) throw new Cancelled();
    const newline = stream.indexOf(LF, at);
    const end = newline < 0 ? stream.length : newline;
    const kind = kindOfLine(stream, at, end);
    if ((kind === 'bare' || kind === 'separator' || kind === 'end') && holds !== 'directives') {
      if (holds === 'content') yield { bytes: stream.subarray(from, at), line: fromLine };
      from = kind === 'end' ? Math.min(end + 1, stream.length) : at;
      fromLine = kind === 'end' ? line + 1 : line;
      holds = kind === 'separator' ? 'content' : 'nothing';
    } else if (kind === 'directive' && holds !== 'content') {
      holds = 'directives';
    } else if (kind !== 'empty' && kind !== 'bare') {
      holds = 'content';
    }
    at = end + 1;
  }
  if (holds === 'content') yield { bytes: stream.subarray(from), line: fromLine };
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function kindOfLine(stream: Uint8Array, from: number, end: number): LineKind {
  const first = stream[from];
  if (first === PERCENT) return 'directive';
  if ((first === DASH || first === POINT) && stream[from + 1] === first && stream[from + 2] === first && from + 3 <= end) {
    const marker = markerOf(stream, from + 3, end, first === POINT);
    if (marker !== undefined) return marker;
  }
  const at = skipBlanks(stream, from, end);
  return at >= end || stream[at] === HASH || stream[at] === CR ? 'empty' : 'content';
}

/**
 * Returns the kind of a marker line, which depends on the text after its dashes or dots. Returns undefined if the line is content, because
 * text directly follows the dashes or dots, or because the line contains a carriage return.
 */
function markerOf(stream: Uint8Array, from: number, lineEnd: number, isEnd: boolean): 'bare' | 'separator' | 'end' | undefined {
  const end = stream[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;
  const at = skipBlanks(stream, from, end);
  if (at < end && (at === from || stream.subarray(at, end).includes(CR))) return undefined;
  if (isEnd) return 'end';
  return at >= end || stream[at] === HASH ? 'bare' : 'separator';
}

function skipBlanks(stream: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && (stream[at] === SPACE || stream[at] === TAB)) at += 1;
  return at;
}
