import { describe, expect, it } from 'vitest';
import { LineTooLong, splitLines } from './split-lines.ts';

async function* blocksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function linesOf(text: string | Uint8Array, size: number, limit = 100): Promise<string[]> {
  const found: string[] = [];
  for await (const lines of splitLines(blocksOf(Buffer.from(text), size), limit))
    found.push(...lines.map((line) => Buffer.from(line).toString()));
  return found;
}

describe('splitLines', () => {
  it.each([1, 2, 3, 7, 1000])('gives the same non-empty lines for blocks of %i bytes', async (size) => {
    expect(await linesOf('\ufeff\n a\n\n\r\n  \nbb\nc c \n\t\nlast', size)).toEqual([' a', 'bb', 'c c ', 'last']);
    expect(await linesOf('\ufeff{"a":1}\n\ufeffb\n', size)).toEqual(['{"a":1}', '\ufeffb']);
    expect(await linesOf('\n\n\n', size)).toEqual([]);
  });

  it.each([1, 16, 1000])('rejects a line that is too long, and names its number, in blocks of %i bytes', async (size) => {
    const error: unknown = await linesOf(`a\n\nb\n${'c'.repeat(101)}\n`, size).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LineTooLong);
    expect(error).toMatchObject({ line: 4, limit: 100 });
    expect(await linesOf(`${'c'.repeat(100)}\n`, size)).toEqual(['c'.repeat(100)]);
  });

  it('returns nothing for empty lines', async () => {
    expect(await linesOf(Buffer.alloc(2_000_000, '\n'), 65_536)).toEqual([]);
  });

  it('lets other work run between parts of a block with many lines', async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    const lines = await linesOf(Buffer.alloc(4_000_000, '0\n'), 4_000_000);
    clearInterval(counting);
    expect(lines).toHaveLength(2_000_000);
    expect(turns).toBeGreaterThan(10);
  });
});
