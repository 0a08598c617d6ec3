import { Cancelled } from '../cancellation.ts';
import type { CancellationToken } from '../cancellation.ts';
import type { SourceText } from './source-text.ts';
import type { Mark } from './token.ts';
import { scannerError, YamlError } from './yaml-error.ts';

/** Bits of the result of {@link classOf}. Each bit represents one class of characters. */
const BLANK = 1;
const BREAK = 2;
const END = 4;
const WORD = 8;
const URI = 16;
const DIGIT = 32;

/** Character that the scanner reads after the end of the text. It cannot occur inside a text, because libyaml rejects it. */
export const END_OF_TEXT = 0;

const LINE_SEPARATOR = 0x2028;
const PARAGRAPH_SEPARATOR = 0x2029;

const CLASSES = new Uint8Array(256);
function mark(characters: string, bit: number): void {
  for (let i = 0; i < characters.length; i++) CLASSES[characters.charCodeAt(i)]! |= bit;
}
const DIGITS = '0123456789';
const WORD_CHARACTERS = `${DIGITS}ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-`;
mark(' \t', BLANK);
mark('\n\r\u0085', BREAK);
mark('\0', END);
mark(WORD_CHARACTERS, WORD);
mark(`${WORD_CHARACTERS};/?:@&=+$,.!~*'()[]%`, URI);
mark(DIGITS, DIGIT);

function classOf(code: number): number {
  if (code < 256) return CLASSES[code] as number;
  return code === LINE_SEPARATOR || code === PARAGRAPH_SEPARATOR ? BREAK : 0;
}

/** Returns true if the character is a space or a tab. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** Returns true if the character is a space. */
export function isSpace(code: number): boolean {
  return code === 0x20;
}

/** Returns true if the character is a line end: LF, CR, NEL, LS or PS. */
export function isBreak(code: number): boolean {
  return (classOf(code) & BREAK) !== 0;
}

/** Returns true if the character is a line end or the end of the text. */
export function isBreakOrEnd(code: number): boolean {
  return (classOf(code) & (BREAK | END)) !== 0;
}

/** Returns true if the character is a space, a tab, a line end, or the end of the text. */
export function isGapOrEnd(code: number): boolean {
  return (classOf(code) & (BLANK | BREAK | END)) !== 0;
}

/** Returns true if names of anchors, directives and tag handles may contain the character: `[0-9A-Za-z_-]`. */
export function isWord(code: number): boolean {
  return (classOf(code) & WORD) !== 0;
}

/** Returns true if a tag may contain the character without an escape. */
export function isUri(code: number): boolean {
  return (classOf(code) & URI) !== 0;
}

/** Returns true if the code point is an ASCII digit, 0 … 9. */
export function isDigit(code: number): boolean {
  return (classOf(code) & DIGIT) !== 0;
}

/** Returns the value of a hexadecimal digit, or -1 for any other character. */
export function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}

/** Pattern of all line ends except a line feed. */
const RARE_BREAK = /[\r\u0085\u2028\u2029]/;
/** Number of steps (tokens, line ends, nodes) between two checks of the cancellation token. */
const POLL_INTERVAL = 256;
const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = 0xfeff;

/** Position in a YAML text, which moves forward only. Scanning functions read and change its fields. */
export class Cursor {
  /** Text to scan. It ends with several U+0000, so that look-ahead needs no bounds checks. */
  readonly text: string;
  /** Number of the current line, from 0. */
  line = 0;
  /** Position of the next character, in UTF-16 code units. */
  at = 0;
  /** Offset of the first character of the current line. The column is `at` minus this offset. */
  lineStart = 0;
  readonly #end: number;
  readonly #token: CancellationToken | undefined;
  readonly #onlyLineFeeds: boolean;
  readonly #source: SourceText;
  /**
   * Offset up to which libyaml's reader would have fetched the text so far. Infinity if its fetches influence neither errors nor the
   * result.
   */
  #loaded: number;
  #chunks = 0;
  #bufferStart = 0;
  #steps = 0;

  constructor(source: SourceText, token: CancellationToken | undefined) {
    this.#source = source;
    this.text = `${source.text}\0\0\0\0`;
    this.#end = source.text.length;
    this.#token = token;
    this.#onlyLineFeeds = !RARE_BREAK.test(source.text);
    this.#loaded = source.error === undefined && source.chunkEnds.length === 0 && !source.text.includes('\ufeff') ? Infinity : 0;
  }

  /** UTF-16 code unit at the current position. */
  get code(): number {
    return this.text.charCodeAt(this.at);
  }

  /** True if no text is left. */
  get ended(): boolean {
    return this.at >= this.#end;
  }

  get column(): number {
    return this.at - this.lineStart;
  }

  mark(): Mark {
    return { line: this.line, column: this.at - this.lineStart, offset: this.at };
  }

  fail(problem: string): YamlError {
    return scannerError(problem, this.line);
  }

  /** Counts a step of work. Throws `Cancelled` if the cancellation token is cancelled. */
  step(): void {
    this.#steps += 1;
    if (this.#steps % POLL_INTERVAL === 0 && this.#token?.cancelled === true) throw new Cancelled();
  }

  /**
   * Records that the scanner looks ahead by `characters` characters, because libyaml's reader would fetch them now. Throws the reader's
   * error if they include an unreadable character.
   */
  need(characters: number): void {
    if (this.at + characters > this.#loaded) this.#load(characters);
  }

  #load(characters: number): void {
    const { chunkEnds, error } = this.#source;
    this.#bufferStart = this.at;
    while (this.at + characters > this.#loaded) {
      const next = chunkEnds[this.#chunks];
      this.#chunks += 1;
      if (next !== undefined) {
        this.#loaded = next;
        continue;
      }
      if (error !== undefined) throw new YamlError(error);
      // After the last chunk, libyaml's reader adds one end mark at each further access.
      this.#loaded = this.#chunks === chunkEnds.length + 1 ? this.#end : this.#loaded + 1;
      if (this.#loaded > this.#end) return;
    }
  }

  /**
   * Skips a byte order mark at the beginning of a line. Like libyaml, it tests the first character of the last fetch instead of the current
   * character.
   */
  skipByteOrderMark(): void {
    if (this.#loaded === Infinity || this.at !== this.lineStart) return;
    if (this.text.charCodeAt(this.#bufferStart) === BYTE_ORDER_MARK) this.at += 1;
  }

  /** Moves past the line end at the current position. Does nothing if there is no line end. */
  skipBreak(): void {
    const code = this.code;
    if (!isBreak(code)) return;
    this.step();
    this.at += code === CR && this.text.charCodeAt(this.at + 1) === LF ? 2 : 1;
    this.line += 1;
    this.lineStart = this.at;
  }

  /**
   * Moves past a line end in the same way as {@link skipBreak}. Returns the text that represents the line end in a scalar: LS and PS
   * unchanged, and a line feed for all others.
   */
  readBreak(): string {
    const code = this.code;
    this.skipBreak();
    return code > 0xff ? String.fromCharCode(code) : '\n';
  }

  /** Moves past spaces, but not past the column `limit`. Local variables make the loop fast before V8 optimizes it. */
  skipSpaces(limit: number): void {
    const { text, lineStart } = this;
    let { at } = this;
    while (at - lineStart < limit && text.charCodeAt(at) === 0x20) at += 1;
    this.at = at;
  }

  /** Moves to the end of the line, or of the text. */
  skipLineContent(): void {
    const { text } = this;
    if (this.#onlyLineFeeds) {
      const end = text.indexOf('\n', this.at);
      this.at = end < 0 ? Math.max(this.at, this.#end) : end;
    } else {
      let { at } = this;
      while (!isBreakOrEnd(text.charCodeAt(at))) at += 1;
      this.at = at;
    }
    this.need(1);
  }

  /**
   * Returns true if the current position is at a `---` or `...` that begins a line. The marker must be followed by a space, a line end or
   * the end of the text.
   */
  atDocumentMarker(): boolean {
    if (this.at !== this.lineStart) return false;
    const { text, at } = this;
    const code = text.charCodeAt(at);
    if (code !== 0x2d && code !== 0x2e) return false;
    return text.charCodeAt(at + 1) === code && text.charCodeAt(at + 2) === code && isGapOrEnd(text.charCodeAt(at + 3));
  }
}
