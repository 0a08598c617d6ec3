import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { splitLines } from '#documents';

/** Maximum length of a line in bytes. It is large because a line of a case file may contain a whole definition and more. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** Yields the lines of a stream of bytes, as text. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const block of splitLines(stream, MAX_LINE_BYTES))
    for (const line of block) yield Buffer.from(line.buffer, line.byteOffset, line.length).toString('utf8');
}

/** Yields the lines of a file. A file whose name ends with `.gz` is decompressed. */
export function linesOfFile(file: string): AsyncGenerator<string> {
  const bytes = createReadStream(file);
  return linesOf(file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes);
}

/** Yields the first line and every `step`-th line after it. */
export async function* everyNth(lines: AsyncIterable<string>, step: number): AsyncGenerator<string> {
  let index = 0;
  for await (const line of lines) if (index++ % step === 0) yield line;
}
