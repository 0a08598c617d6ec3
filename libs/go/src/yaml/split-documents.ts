import { Cancelled } from '../cancellation.ts';
import type { CancellationToken } from '../cancellation.ts';

/** One document of a stream, with the line on which it begins (from 1). */
export interface YamlStreamPart {
  readonly text: string;
  readonly line: number;
}

/** Lines between two looks at the cancellation token. */
const POLL_INTERVAL = 256;

const SEPARATOR = /^---(?:[ \t].*)?$/;
const BARE_SEPARATOR = /^---[ \t]*(?:#.*)?$/;
const END = /^\.\.\.(?:[ \t].*)?$/;

/**
 * Cuts a YAML stream at its `---` and `...` lines, as kubectl does; parts that hold nothing but comments and space are left out. Content
 * on the separator's own line stays with its document; directives belong to the document that follows them. Looks at each line once; throws
 * `Cancelled` when the token asks for it.
 */
export function splitDocuments(text: string, token?: CancellationToken): YamlStreamPart[] {
  const parts: YamlStreamPart[] = [];
  let from = 0;
  let fromLine = 1;
  /** What the part holds so far. */
  let holds: 'nothing' | 'directives' | 'content' = 'nothing';
  let line = 1;
  for (let at = 0; at <= text.length; line++) {
    if (line % POLL_INTERVAL === 0 && token?.cancelled === true) throw new Cancelled();
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const next = end + 1;
    const first = text.charCodeAt(at);
    const marker = first === 0x2d || first === 0x2e ? text.slice(at, text.charCodeAt(end - 1) === 0x0d ? end - 1 : end) : '';
    const ended = END.test(marker);
    if ((ended || SEPARATOR.test(marker)) && holds !== 'directives') {
      if (holds === 'content') parts.push({ text: text.slice(from, at), line: fromLine });
      from = ended ? Math.min(next, text.length) : at;
      fromLine = ended ? line + 1 : line;
      holds = ended || BARE_SEPARATOR.test(marker) ? 'nothing' : 'content';
    } else if (first === 0x25 && holds !== 'content') {
      holds = 'directives';
    } else if (!isEmptyLine(text, at, end) && !BARE_SEPARATOR.test(marker)) {
      holds = 'content';
    }
    at = next;
  }
  if (holds === 'content') parts.push({ text: text.slice(from), line: fromLine });
  return parts;
}

/** Whether a line holds nothing but space and a comment. */
function isEmptyLine(text: string, from: number, end: number): boolean {
  let at = from;
  while (at < end && (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09)) at += 1;
  return at >= end || text.charCodeAt(at) === 0x23 || text.charCodeAt(at) === 0x0d;
}
