import { describe, expect, it } from 'vitest';
import { CancellationFlag, Cancelled } from '../cancellation.ts';
import { splitDocuments } from './split-documents.ts';

const parts = (stream: string | Uint8Array): (readonly (string | number)[])[] =>
  Array.from(splitDocuments(Buffer.from(stream)), ({ bytes, line, error }) => [
    Buffer.from(bytes).toString('latin1'),
    line,
    ...(error === undefined ? [] : [error]),
  ]);

const NO_START = 'yaml: line 1: did not find expected <document start>';

describe('splitting a YAML stream', () => {
  it.each<[stream: string, found: (readonly (string | number)[])[]]>([
    [
      'a: 1\n---\nb: 2\n',
      [
        ['a: 1\n', 1],
        ['b: 2\n', 3],
      ],
    ],
    [
      '---\na: 1\n---\n---\nb: 2\n',
      [
        ['---\na: 1\n', 1],
        ['---\nb: 2\n', 4],
      ],
    ],
    ['---\n---\n--- # c\n---#c\n\n# d\n', []],
    [
      '--- a\n--- b\r\n',
      [
        ['--- a\n', 1, 'invalid Yaml document separator: a'],
        ['--- b\r\n', 2, 'invalid Yaml document separator: b'],
      ],
    ],
    [
      'a: 1\r\n---\r\nb: 2',
      [
        ['a: 1\r\n', 1],
        ['b: 2\n', 3],
      ],
    ],
    [
      'a: |\r\r\n  x\r\r\n---\r\r\nb: 2\r\r\n',
      [
        ['a: |\r\n  x\r\n', 1],
        ['b: 2\r\n', 4],
      ],
    ],
    [
      'a: 1\n---\t\v\u2028\u00a0# c\nb: 2\n',
      [
        ['a: 1\n', 1],
        ['b: 2\n', 3],
      ],
    ],
    ['a: 1\n...\nb: 2\n', [['a: 1\n...\nb: 2\n', 1]]],
    [
      '%YAML 1.1\n---\na: 1\n---\nb: 2\n',
      [
        ['%YAML 1.1\n---\na: 1\n', 1, NO_START],
        ['b: 2\n', 5],
      ],
    ],
    [
      'a: 1\n... # end\n%YAML 1.1\n---\nb: 2\n',
      [
        ['a: 1\n... # end\n%YAML 1.1\n', 1],
        ['b: 2\n', 5],
      ],
    ],
    ['a: |\n  ---\n ---\n', [['a: |\n  ---\n ---\n', 1]]],
    [
      'a\n----\n---x\n',
      [
        ['a\n', 1],
        ['----\n', 2, 'invalid Yaml document separator: -'],
        ['---x\n', 3, 'invalid Yaml document separator: x'],
      ],
    ],
    // White space before the text of a separator is skipped, regardless of its length.
    [
      `a\n---${' '.repeat(9000)}x`,
      [
        ['a\n', 1],
        [`---${' '.repeat(9000)}x`, 2, 'invalid Yaml document separator: x'],
      ],
    ],
    ['{"a":1}', [['{"a":1}', 1]]],
  ])('splits %j as Go does', (stream, found) => {
    expect(parts(stream)).toEqual(found.map(([text, ...rest]) => [Buffer.from(String(text)).toString('latin1'), ...rest]));
  });

  it('does not decode the bytes of the stream', () => {
    expect(parts(Buffer.from('a: \xff\n---\nb: \xfe\n', 'latin1'))).toEqual([
      ['a: \xff\n', 1],
      ['b: \xfe\n', 3],
    ]);
  });

  it('adds a line end to a UTF-16 stream, as Go does', () => {
    const stream = Buffer.from('\ufeffa: 1\n---\nb: 2\n', 'utf16le');
    expect(Array.from(splitDocuments(stream), ({ bytes }) => bytes.length)).toEqual([stream.length + 1]);
  });

  it('yields one document at a time, and stops when the caller stops', () => {
    const token = new CancellationFlag();
    const stream = splitDocuments(Buffer.from(`a: 1\n${'---\n'.repeat(10_000)}b: 1\n`), token);
    expect(stream.next().value).toMatchObject({ line: 1 });
    token.cancel();
    expect(() => stream.next()).toThrow(Cancelled);
  });

  it('stops in the middle of a document if the caller cancels it', () => {
    const token = new CancellationFlag();
    token.cancel();
    expect(() => [...splitDocuments(Buffer.from('\ufeffa: 1\n'.repeat(300), 'utf16le'), token)]).toThrow(Cancelled);
  });

  it('reads each line once', () => {
    expect(parts(Buffer.alloc(8_000_000, '---\n'))).toEqual([]);
  });
});
