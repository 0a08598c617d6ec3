import { describe, expect, it } from 'vitest';
import { CancellationFlag, Cancelled } from '../cancellation.ts';
import { splitDocuments } from './split-documents.ts';

const parts = (stream: string | Uint8Array): (readonly [text: string, line: number])[] =>
  Array.from(splitDocuments(Buffer.from(stream)), ({ bytes, line }) => [Buffer.from(bytes).toString('latin1'), line] as const);

describe('cutting a YAML stream', () => {
  it.each([
    [
      'a: 1\n---\nb: 2\n',
      [
        ['a: 1\n', 1],
        ['---\nb: 2\n', 2],
      ],
    ],
    ['---\n---\n--- # c\n...\n\n# d\n', []],
    [
      '--- a\n--- b\r\n',
      [
        ['--- a\n', 1],
        ['--- b\r\n', 2],
      ],
    ],
    [
      'a: 1\r\n---\r\nb: 2',
      [
        ['a: 1\r\n', 1],
        ['---\r\nb: 2', 2],
      ],
    ],
    [
      'a: 1\n...\nb: 2\n',
      [
        ['a: 1\n', 1],
        ['b: 2\n', 3],
      ],
    ],
    [
      'a: 1\n... # end\n%YAML 1.1\n---\nb: 2\n',
      [
        ['a: 1\n', 1],
        ['%YAML 1.1\n---\nb: 2\n', 3],
      ],
    ],
    ['a: |\n  ---\n ---\n----\n---x\n', [['a: |\n  ---\n ---\n----\n---x\n', 1]]],
    // Text that begins as a separator does is text.
    ['---#c\n', [['---#c\n', 1]]],
  ])('%j', (stream, found) => {
    expect(parts(stream)).toEqual(found);
  });

  it('does not decode it', () => {
    expect(parts(Buffer.from('a: \xff\n---\nb: \xfe\n', 'latin1'))).toEqual([
      ['a: \xff\n', 1],
      ['---\nb: \xfe\n', 2],
    ]);
  });

  it('leaves UTF-16 to the reader', () => {
    const stream = Buffer.from('\ufeffa: 1\n---\nb: 2\n', 'utf16le');
    expect(Array.from(splitDocuments(stream), ({ bytes }) => bytes.length)).toEqual([stream.length]);
  });

  it('gives one document after the other, and stops where that is wanted', () => {
    const token = new CancellationFlag();
    const stream = splitDocuments(Buffer.from(`a: 1\n${'---\n'.repeat(10_000)}b: 1\n`), token);
    expect(stream.next().value).toMatchObject({ line: 1 });
    token.cancel();
    expect(() => stream.next()).toThrow(Cancelled);
  });

  it('looks at each line once', () => {
    expect(parts(Buffer.alloc(8_000_000, '---\n'))).toEqual([]);
  });
});
