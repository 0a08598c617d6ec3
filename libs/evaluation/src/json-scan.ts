import { plainText } from './plain-text.ts';

/**
 * Finds the beginning and the end of values in JSON bytes, and builds no value. The API cuts a batch into slices, which a thread parses. The scan checks
 * brackets and strings, as far as cutting needs them, and no other grammar inside a slice.
 */

/** Nesting beyond which no document is cut; Go's decoder stops at the same depth. */
const MAX_DEPTH = 10_000;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** A byte order mark is no JSON: it stays, and is refused. */
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes that hold a document together, and what is said where one of them is missing. */
export const JSON_MARKS = {
  openObject: { byte: OPEN_OBJECT, problem: 'the body must be a JSON object' },
  openList: { byte: OPEN_LIST, problem: 'a JSON list is expected' },
  closeObject: { byte: CLOSE_OBJECT, problem: '' },
  closeList: { byte: CLOSE_LIST, problem: '' },
  colon: { byte: 0x3a, problem: 'a colon is missing after an object key' },
  nextMember: { byte: COMMA, problem: 'a comma or closing brace is missing after an object member' },
  nextElement: { byte: COMMA, problem: 'a comma or closing bracket is missing after a list element' },
} as const;

/** One of {@link JSON_MARKS}. */
export type JsonMark = (typeof JSON_MARKS)[keyof typeof JSON_MARKS];

/** Thrown where bytes cannot be cut; caught by whoever gives a scan's result. */
export class CutFailure extends Error {
  /** The byte that does not fit. */
  readonly offset: number;
  constructor(problem: string, offset: number) {
    super(problem);
    this.offset = offset;
  }
}

/** A place in JSON bytes that moves over values. Its methods throw {@link CutFailure} where the bytes do not fit. */
export class JsonScan {
  /** The next byte to look at. */
  at: number;
  readonly #bytes: Uint8Array;
  readonly #end: number;
  /** The closing brackets that the skipped value still needs. */
  readonly #open: number[] = [];
  /** The kind of token in the middle of which a pause came. */
  #within: 'nothing' | 'string' | 'word' = 'nothing';

  /** Scans the bytes from `at` to `end`. */
  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.at = at;
    this.#end = end;
  }

  /** Moves past space; false where `until` was reached first. */
  skipSpace(until: number): boolean {
    const bytes = this.#bytes;
    const end = Math.min(until, this.#end);
    let { at } = this;
    while (at < end && (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09)) at++;
    this.at = at;
    return at < until || at >= this.#end;
  }

  /** Moves past the value that stands here; false where `until` was reached first: called again, it goes on. */
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

  /** Moves past a mark that must stand here. */
  expect({ byte, problem }: JsonMark): void {
    if (this.at >= this.#end || this.#bytes[this.at] !== byte) throw this.#fails(problem);
    this.at++;
  }

  /** Moves past a mark, if it stands here. */
  accept({ byte }: JsonMark): boolean {
    if (this.at >= this.#end || this.#bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  /** Requires that a key begins here. */
  expectKey(): void {
    if (this.at >= this.#end || this.#bytes[this.at] !== QUOTE) throw this.#fails('a quoted key is expected');
  }

  /** The text of the key that ends here. */
  keyFrom(start: number): string {
    const plain = plainText(this.#bytes, start + 1, this.at - 1);
    if (plain !== undefined) return plain;
    try {
      return JSON.parse(UTF_8.decode(this.#bytes.subarray(start, this.at))) as string;
    } catch {
      throw new CutFailure('an object key is not a JSON string', start);
    }
  }

  /** Requires that nothing is left. */
  expectEnd(): void {
    if (this.at < this.#end) throw new CutFailure('there is more after the JSON value', this.at);
  }

  /** Moves behind the closing quote of the string that was entered. */
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

  /** Moves into the next string of the brackets that are open, or behind them. */
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

  /** Anything that is neither a string nor in brackets runs to the next delimiter. */
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
