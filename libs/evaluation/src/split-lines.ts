/** A line longer than the reader allows. */
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
 * The non-empty lines of a byte stream without their newlines, as many at a time as a block completed. Memory is bounded by `limit` bytes a
 * line; throws {@link LineTooLong} beyond.
 */
export async function* splitLines(stream: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array[]> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let line = 1;
  for await (const block of stream) {
    const lines: Uint8Array[] = [];
    let from = 0;
    for (let to = block.indexOf(10, from); to >= 0; to = block.indexOf(10, from)) {
      held.push(block.subarray(from, to));
      heldBytes += to - from;
      if (heldBytes > limit) throw new LineTooLong(line, limit);
      const whole = held.length === 1 ? block.subarray(from, to) : Buffer.concat(held);
      if (!isBlank(whole)) lines.push(whole);
      held = [];
      heldBytes = 0;
      from = to + 1;
      line++;
    }
    if (from < block.length) {
      held.push(block.subarray(from));
      heldBytes += block.length - from;
      if (heldBytes > limit) throw new LineTooLong(line, limit);
    }
    if (lines.length > 0) yield lines;
  }
  if (heldBytes > 0) {
    const last = Buffer.concat(held);
    if (!isBlank(last)) yield [last];
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
}
