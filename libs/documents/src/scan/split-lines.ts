import { setImmediate } from 'node:timers/promises';

/**
 * Number of bytes whose lines are cut in one step. The last of these lines may extend beyond them. Even if all these bytes are line ends,
 * one step is short enough to need no pause.
 */
const PART_BYTES = 16 * 1024;
const FEW_LINES = 1000;

/** Error for a line that is longer than the reader allows. */
export class LineTooLong extends Error {
  /** Number of the line, from 1. */
  readonly line: number;
  readonly limit: number;
  constructor(line: number, limit: number) {
    super(`line ${line} is longer than ${limit} bytes`);
    this.line = line;
    this.limit = limit;
  }
}

/**
 * Yields the non-empty lines of a byte stream without their newlines, in groups. After a large group, other work can run. A byte order mark
 * before the first line is skipped. Memory use is at most twice `limit` bytes, even if a line arrives in small blocks. Throws {@link
 * LineTooLong} if a line is longer than `limit`. The time depends on the number of bytes, even if most lines are empty.
 */
export async function* splitLines(stream: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array[]> {
  const cutter = new LineCutter(limit);
  for await (const block of stream) {
    for (let from = 0; from < block.length;) {
      const { lines, end } = cutter.cut(block, from);
      from = end;
      if (lines.length > 0) yield lines;
      if (lines.length > FEW_LINES) await setImmediate();
    }
  }
  const last = cutter.end();
  if (last) yield [last];
}

const NEWLINE = 0x0a;

class LineCutter {
  readonly #limit: number;
  /** Beginning of a line that is not complete yet. The first `#length` bytes of this buffer are used. */
  #held = new Uint8Array(0);
  #length = 0;
  /** Number of the line that is being read, from 1. */
  #line = 1;
  #begun = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Returns the lines that begin in the {@link PART_BYTES} of `block` from `start`. Also returns the offset of the first line after them.
   * Keeps an incomplete last line for the next block.
   */
  cut(block: Uint8Array, start: number): { readonly lines: Uint8Array[]; readonly end: number } {
    const lines: Uint8Array[] = [];
    const until = Math.min(block.length, start + PART_BYTES);
    let from = this.#length === 0 ? this.#skipEmpty(block, start, until) : start;
    while (from < until) {
      const to = block.indexOf(NEWLINE, from);
      if (to < 0) {
        this.#hold(block.subarray(from));
        return { lines, end: block.length };
      }
      const line = this.#complete(block.subarray(from, to));
      if (line) lines.push(line);
      this.#line++;
      from = this.#skipEmpty(block, to + 1, until);
    }
    return { lines, end: from };
  }

  /** Returns the last line if it has no newline. Otherwise returns undefined. */
  end(): Uint8Array | undefined {
    return this.#length > 0 ? this.#complete(new Uint8Array(0)) : undefined;
  }

  /** Returns the start of the next line that is not empty. The search ends at `until`. */
  #skipEmpty(block: Uint8Array, from: number, until: number): number {
    let start = from;
    for (let at = from; at < until; at++) {
      const byte = block[at] as number;
      if (byte === NEWLINE) {
        start = at + 1;
        this.#line++;
      } else if (!isBlank(byte)) break;
    }
    return start;
  }

  #complete(rest: Uint8Array): Uint8Array | undefined {
    if (this.#length + rest.length > this.#limit) throw new LineTooLong(this.#line, this.#limit);
    let line = rest;
    if (this.#length > 0) {
      this.#hold(rest);
      line = this.#held.subarray(0, this.#length);
      this.#held = new Uint8Array(0);
      this.#length = 0;
    }
    if (!this.#begun) line = withoutByteOrderMark(line);
    this.#begun = true;
    return line.every(isBlank) ? undefined : line;
  }

  #hold(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (length > this.#limit) throw new LineTooLong(this.#line, this.#limit);
    if (length > this.#held.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#held.length));
      larger.set(this.#held.subarray(0, this.#length));
      this.#held = larger;
    }
    this.#held.set(part, this.#length);
    this.#length = length;
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0d || byte === 0x09;
}

/** Returns UTF-8 bytes without the byte order mark that some editors write at the start of a file. */
export function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
