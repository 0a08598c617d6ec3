import { Cancelled } from '../cancellation.ts';
import type { CancellationToken } from '../cancellation.ts';
import { goTrim } from '../text/strings.ts';
import { readYaml } from './read-yaml.ts';
import type { YamlReading } from './read-yaml.ts';
import { isUtf16 } from './source-text.ts';

/** One part of a stream, as Go's reader returns it. The reader of YAML reads only the first document of a part. */
export interface YamlStreamPart {
  /** Bytes of the part. They have the line ends of the stream, unless Go's reader would change the document together with its line ends. */
  readonly bytes: Uint8Array;
  /** Offset of the part's first byte in the stream, from 0. */
  readonly start: number;
  /** Offset of the first byte after the part. */
  readonly end: number;
  /** Line of the stream on which the part begins, from 1. Only line feeds end lines. */
  readonly line: number;
  /** Error of Go's reader for this part. Absent if Go's reader returns the part. */
  readonly error?: string;
}

/** Number of lines between two checks of the cancellation token. */
const POLL_INTERVAL = 256;
/** Maximum number of bytes of a separator line that its error message contains. */
const MAX_SHOWN_BYTES = 1024;
/** Number of bytes of one line between two checks of the cancellation token. */
const POLL_BYTES = 65_536;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const PERCENT = 0x25;
const DASH = 0x2d;
const BRACE = 0x7b;
const DELETE = 0x7f;
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Splits a YAML stream at the lines that begin with `---`, as kubectl does. Parts that only have comments and white space are left out.
 *
 * As in Go, only white space and a comment may follow the three dashes; else the part has an error. A part that begins with directives also
 * has an error, because Go's reader separates them from their document. A separator at the start of a part belongs to the part. Lines end
 * in LF or CRLF, so `\r\r\n` is the end of one line. Bytes are not decoded, so that the YAML reader can report invalid characters. Each
 * line is read once, on demand. Throws `Cancelled` if the token is cancelled.
 *
 * Source: k8s.io/apimachinery/pkg/util/yaml/decoder.go `YAMLReader` and `LineReader` (1.37).
 */
export function* splitDocuments(stream: Uint8Array, token?: CancellationToken): Generator<YamlStreamPart, void> {
  const part = new OpenPart(stream, token);
  let line = 1;
  for (let at = 0; at < stream.length; line++) {
    if (line % POLL_INTERVAL === 0 && token?.cancelled === true) throw new Cancelled();
    const newline = stream.indexOf(LF, at);
    const next = newline < 0 ? stream.length : newline + 1;
    const end = newline < 0 ? next : newline;
    if (!isSeparator(stream, at, end)) {
      part.addLine(at, end);
    } else {
      const content = contentOfSeparator(stream, at, end);
      if (content !== '') {
        yield* part.closed(at);
        part.begin(at, line, `invalid Yaml document separator: ${content}`);
      } else if (!part.takesSeparator(at)) {
        yield* part.closed(at);
        part.begin(next, line + 1);
      }
    }
    at = next;
  }
  yield* part.closed(stream.length);
}

/** Reads the only document of a part. Refuses a part that Go's reader does not return, and a part with several documents. */
export function readStreamPart({ bytes, line, error }: YamlStreamPart, token?: CancellationToken): YamlReading {
  return error === undefined ? readYaml(bytes, token) : { ok: false, error: `line ${line}: ${error}`, line };
}

/** Part of a stream whose end was not found yet. */
class OpenPart {
  readonly #stream: Uint8Array;
  readonly #token: CancellationToken | undefined;
  #from = 0;
  #line = 1;
  #error: string | undefined;
  #holds: 'nothing' | 'directives' | 'content' = 'nothing';
  /** True if the part begins with a separator. A line that begins with `%` is content then. */
  #isSeparated = false;
  /** True if two carriage returns end a line. The YAML reader counts two lines there, and Go's reader one. */
  #hasDoubleReturns = false;

  constructor(stream: Uint8Array, token: CancellationToken | undefined) {
    this.#stream = stream;
    this.#token = token;
  }

  begin(from: number, line: number, error?: string): void {
    this.#from = from;
    this.#line = line;
    this.#error = error;
    this.#holds = error === undefined ? 'nothing' : 'content';
    this.#isSeparated = false;
    this.#hasDoubleReturns = false;
  }

  /** Returns true if a separator line is a line of this part: the part begins with it, or has no more than directives. */
  takesSeparator(at: number): boolean {
    if (this.#holds === 'directives') {
      const reading = readYaml(this.#stream.subarray(this.#from, at), this.#token);
      if (!reading.ok) this.#error = reading.error;
      this.#holds = 'content';
      return true;
    }
    this.#isSeparated ||= at === this.#from;
    return at === this.#from;
  }

  addLine(at: number, end: number): void {
    const stream = this.#stream;
    this.#hasDoubleReturns ||= stream[end - 1] === CR && end - 2 >= at && stream[end - 2] === CR;
    if (this.#holds === 'content') return;
    if (stream[at] === PERCENT && !this.#isSeparated) this.#holds = 'directives';
    else if (hasContent(stream, at, end, this.#token)) this.#holds = 'content';
  }

  *closed(end: number): Generator<YamlStreamPart> {
    if (this.#holds === 'nothing') return;
    const [start, line, error] = [this.#from, this.#line, this.#error];
    if (error !== undefined) yield { bytes: this.#stream.subarray(start, end), start, end, line, error };
    else yield { bytes: this.#bytes(start, end), start, end, line };
  }

  /** Returns the bytes of the part as Go's reader returns them. Leaves line ends unchanged where the YAML reader treats both alike. */
  #bytes(start: number, end: number): Uint8Array {
    const bytes = this.#stream.subarray(start, end);
    if (this.#hasDoubleReturns || isUtf16(bytes)) return withLineFeeds(bytes, this.#token);
    if (bytes[bytes.length - 1] === LF || bytes[0] === BRACE) return bytes;
    const ended = new Uint8Array(bytes.length + 1);
    ended.set(bytes);
    ended[bytes.length] = LF;
    return ended;
  }
}

/** Returns a copy in which each LF and CRLF is an LF, and in which the last line ends in LF. */
function withLineFeeds(bytes: Uint8Array, token: CancellationToken | undefined): Uint8Array {
  const copy = new Uint8Array(bytes.length + 1);
  let length = 0;
  let line = 0;
  for (let at = 0; at < bytes.length;) {
    if (++line % POLL_INTERVAL === 0 && token?.cancelled === true) throw new Cancelled();
    const newline = bytes.indexOf(LF, at);
    const next = newline < 0 ? bytes.length : newline + 1;
    const end = newline < 0 ? next : newline > at && bytes[newline - 1] === CR ? newline - 1 : newline;
    copy.set(bytes.subarray(at, end), length);
    length += end - at;
    copy[length++] = LF;
    at = next;
  }
  return copy.subarray(0, length);
}

function isSeparator(stream: Uint8Array, at: number, end: number): boolean {
  return stream[at] === DASH && stream[at + 1] === DASH && stream[at + 2] === DASH && at + 3 <= end;
}

/** Returns the text after the dashes of a separator line, without white space around it. Returns an empty text for a comment. */
function contentOfSeparator(stream: Uint8Array, at: number, end: number): string {
  const from = at + 3;
  if (from === end || stream[from] === HASH) return '';
  for (let shown = MAX_SHOWN_BYTES; ; shown *= 8) {
    const content = goTrim(DECODER.decode(stream.subarray(from, Math.min(end, from + shown))));
    if (content !== '' || from + shown >= end) return content.startsWith('#') ? '' : content;
  }
}

/**
 * Returns true if a line may have more than white space and a comment. The YAML reader decides about a comment with other characters than
 * those of ASCII, because some of them end its line. The loops stop at the first byte that is no space, or that no comment in ASCII has.
 */
function hasContent(stream: Uint8Array, from: number, lineEnd: number, token: CancellationToken | undefined): boolean {
  const end = stream[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;
  let isComment = false;
  for (let at = from; at < end; at++) {
    if ((at - from) % POLL_BYTES === POLL_BYTES - 1 && token?.cancelled === true) throw new Cancelled();
    const byte = stream[at] as number;
    isComment ||= byte === HASH;
    const isQuiet = byte === SPACE || byte === TAB || (isComment && byte > SPACE && byte < DELETE);
    if (!isQuiet) return true;
  }
  return false;
}
