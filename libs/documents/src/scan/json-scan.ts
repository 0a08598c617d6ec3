import { unescapedText } from './plain-text.ts';

/**
 * Scanner that finds the start and end of values in JSON bytes without building the values. The API uses it to cut a batch into slices,
 * which threads parse. Inside a slice, the scan checks only brackets and strings.
 */

/** Maximum nesting depth of a document that the scan accepts. Go's decoder has the same limit. */
const MAX_DEPTH = 10_000;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Decoder that keeps a byte order mark. The mark is not valid JSON and is therefore rejected later. */
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes that structure a JSON document, each with the error text that is used if the byte is missing. */
export const JSON_MARKS = {
  openObject: { byte: OPEN_OBJECT, problem: 'the body must be a JSON object' },
  openList: { byte: OPEN_LIST, problem: 'a JSON list is expected' },
  closeObject: { byte: CLOSE_OBJECT, problem: '' },
  closeList: { byte: CLOSE_LIST, problem: '' },
  colon: { byte: 0x3a, problem: 'a colon is missing after an object key' },
  nextMember: { byte: COMMA, problem: 'a comma or closing brace is missing after an object member' },
  nextElement: { byte: COMMA, problem: 'a comma or closing bracket is missing after a list element' },
} as const;

/** Entry of {@link JSON_MARKS}: a byte that structures a JSON document, such as a colon, with the error text for a missing byte. */
export type JsonMark = (typeof JSON_MARKS)[keyof typeof JSON_MARKS];

/** Error that is thrown if bytes cannot be cut into JSON values. The functions that return the result of a scan catch it. */
export class CutFailure extends Error {
  /** Offset of the byte at which scanning failed. */
  readonly offset: number;
  constructor(problem: string, offset: number) {
    super(problem);
    this.offset = offset;
  }
}

/** Position in JSON bytes that moves forward over values. Its methods throw {@link CutFailure} if the bytes are not the expected JSON. */
export class JsonScan {
  /** Offset of the next byte to read. */
  at: number;
  readonly #bytes: Uint8Array;
  readonly #end: number;
  /** Closing brackets that are still missing for the value that is being skipped. */
  readonly #open: number[] = [];
  /** Kind of token that was being skipped when the scan paused. `word` is a number, `true`, `false` or `null`. */
  #within: 'nothing' | 'string' | 'word' = 'nothing';

  /** Creates a scanner for the bytes from `at` to `end` (exclusive). */
  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.at = at;
    this.#end = end;
  }

  /** Moves past white space. Returns false if the scan stops at `until` first. */
  skipSpace(until: number): boolean {
    const bytes = this.#bytes;
    const end = Math.min(until, this.#end);
    let { at } = this;
    while (at < end && (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09)) at++;
    this.at = at;
    return at < until || at >= this.#end;
  }

  /** Moves past the value at the current position. Returns false if the scan stops at `until` first; the next call then continues. */
  skipValue(until: number): boolean {
    const open = this.#open;
    if (this.#within === 'nothing' && open.length === 0) {
      const first = this.#bytes[this.at];
      if (first === QUOTE) this.#enterString();
      else if (first !== OPEN_LIST && first !== OPEN_OBJECT) this.#enterWord();
    }
    if (this.#within === 'word') return this.#leaveWord(until);
    for (;;) {
      if (this.#within === 'string') {
        if (!this.#leaveString(until)) return false;
        if (open.length === 0) return true;
      }
      if (!this.#toString(until)) return false;
      if (open.length === 0) return true;
    }
  }

  /** Moves past `byte`. Throws if the current byte is different. */
  expect({ byte, problem }: JsonMark): void {
    if (this.at >= this.#end || this.#bytes[this.at] !== byte) throw this.#fails(problem);
    this.at++;
  }

  /** Moves past `byte` and returns true if it is at the current position. Otherwise returns false. */
  accept({ byte }: JsonMark): boolean {
    if (this.at >= this.#end || this.#bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  /** Throws unless a quoted key begins at the current position. */
  expectKey(): void {
    if (this.at >= this.#end || this.#bytes[this.at] !== QUOTE) throw this.#fails('a quoted key is expected');
  }

  /** Returns the text of the key that begins at `start` and ends at the current position. */
  keyFrom(start: number): string {
    const plain = unescapedText(this.#bytes, start + 1, this.at - 1);
    if (plain !== undefined) return plain;
    try {
      return JSON.parse(UTF_8.decode(this.#bytes.subarray(start, this.at))) as string;
    } catch {
      throw new CutFailure('an object key is not a JSON string', start);
    }
  }

  /** Throws if any bytes are left. */
  expectEnd(): void {
    if (this.at < this.#end) throw new CutFailure('there is more after the JSON value', this.at);
  }

  /** Moves past the closing quote of the current string. Returns false if the scan stops at `until` first. */
  #leaveString(until: number): boolean {
    const bytes = this.#bytes;
    const end = Math.min(until, this.#end);
    let { at } = this;
    while (at < end) {
      const byte = bytes[at++];
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) {
        this.at = at;
        this.#within = 'nothing';
        return true;
      }
    }
    this.at = at;
    if (at >= this.#end) throw new CutFailure('unexpected end of JSON input', this.#end);
    return false;
  }

  /**
   * Moves to the next string inside the open brackets, or past the last closing bracket. Returns false if the scan stops at `until` first.
   */
  #toString(until: number): boolean {
    const bytes = this.#bytes;
    const open = this.#open;
    const end = Math.min(until, this.#end);
    let { at } = this;
    while (at < end) {
      const byte = bytes[at++];
      if (byte === QUOTE) {
        this.at = at;
        this.#within = 'string';
        return true;
      }
      if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        if (open.push(byte + 2) > MAX_DEPTH) throw new CutFailure('exceeded max depth', at - 1);
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        if (open.pop() !== byte) throw new CutFailure('a bracket is closed by one of another kind', at - 1);
        if (open.length === 0) {
          this.at = at;
          return true;
        }
      }
    }
    this.at = at;
    if (at >= this.#end) throw new CutFailure('unexpected end of JSON input', this.#end);
    return false;
  }

  #enterString(): void {
    this.at++;
    this.#within = 'string';
  }

  /** Starts to skip a value that is not a string, list or object. Such a value ends at the next delimiter. */
  #enterWord(): void {
    if (this.at >= this.#end || endsWord(this.#bytes[this.at] as number)) throw this.#fails('a value is missing');
    this.#within = 'word';
  }

  #leaveWord(until: number): boolean {
    const bytes = this.#bytes;
    const end = Math.min(until, this.#end);
    let { at } = this;
    while (at < end && !endsWord(bytes[at] as number)) at++;
    this.at = at;
    if (at >= end && end < this.#end) return false;
    this.#within = 'nothing';
    return true;
  }

  #fails(problem: string): CutFailure {
    return new CutFailure(this.at >= this.#end ? 'unexpected end of JSON input' : problem, this.at);
  }
}

function endsWord(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || byte <= 0x20;
}
