import { describe, expect, it } from 'vitest';
import { CancellationFlag, Cancelled } from '../cancellation.ts';
import { Cursor } from './cursor.ts';
import { Scanner } from './scanner.ts';
import { readSource } from './source-text.ts';
import { readYaml } from './read-yaml.ts';

/** Returns the tokens of a text as `kind(text)@line:column+offset`. Lines and columns start at 0. */
function tokens(text: string): string[] {
  const scanner = new Scanner(new Cursor(readSource(text), undefined));
  const found: string[] = [];
  for (;;) {
    const token = scanner.peek();
    if (token.kind === 'stream end') return found;
    const content = token.text + token.suffix;
    found.push(`${token.kind}${content === '' ? '' : `(${content})`}@${token.line}:${token.column}+${token.offset}`);
    scanner.skip();
  }
}

describe('the YAML scanner', () => {
  it.each([
    [
      'a: b',
      ['block mapping start@0:0+0', 'key@0:0+0', 'plain scalar(a)@0:0+0', 'value@0:1+1', 'plain scalar(b)@0:3+3', 'block end@1:0+4'],
    ],
    [
      '- a\n-\n  - b',
      [
        'block sequence start@0:0+0',
        'block entry@0:0+0',
        'plain scalar(a)@0:2+2',
        'block entry@1:0+4',
        'block sequence start@2:2+8',
        'block entry@2:2+8',
        'plain scalar(b)@2:4+10',
        'block end@3:0+11',
        'block end@3:0+11',
      ],
    ],
    [
      '{a: [b, *c]}',
      [
        'flow mapping start@0:0+0',
        'key@0:1+1',
        'plain scalar(a)@0:1+1',
        'value@0:2+2',
        'flow sequence start@0:4+4',
        'plain scalar(b)@0:5+5',
        'flow entry@0:6+6',
        'alias(c)@0:8+8',
        'flow sequence end@0:10+10',
        'flow mapping end@0:11+11',
      ],
    ],
    ['a b\n c # d', ['plain scalar(a b c)@0:0+0']],
    ['|-\n  x\n   y\n', ['block scalar(x\n y)@0:0+0']],
    ['>2\n   x\n  y\n  z\n', ['block scalar( x\ny z\n)@0:0+0']],
    [
      '--- !!str &a "b"\n...',
      ['document start@0:0+0', 'tag(!!str)@0:4+4', 'anchor(a)@0:10+10', 'quoted scalar(b)@0:13+13', 'document end@1:0+17'],
    ],
    ['%YAML 1.1 # c\n%TAG !x! y:\n', ['version directive(1.1)@0:0+0', 'tag directive(!x!y:)@1:0+14']],
    // `{}` is delivered before the scanner can see that it is a key, so the key mark comes too late.
    [
      '{}: x',
      [
        'flow mapping start@0:0+0',
        'flow mapping end@0:1+1',
        'key@0:0+0',
        'block mapping start@0:0+0',
        'value@0:2+2',
        'plain scalar(x)@0:4+4',
        'block end@1:0+5',
      ],
    ],
    // CR LF is one line end, and a lone CR is another.
    ['a\r\n\r\nb\rc', ['plain scalar(a\nb c)@0:0+0']],
  ])('splits %j into these tokens', (text, expected) => {
    expect(tokens(text)).toEqual(expected);
  });
});

/** Cancellation token that counts its polls, and becomes cancelled after `cancelAt` polls. */
class CountingToken extends CancellationFlag {
  reads = 0;
  readonly #cancelAt: number;
  constructor(cancelAt = Infinity) {
    super();
    this.#cancelAt = cancelAt;
  }
  override get cancelled(): boolean {
    this.reads += 1;
    return this.reads >= this.#cancelAt;
  }
}

/**
 * Functions that create a text with a given number of lines. Each creates a text for which a simple scanner could take more than linear
 * time.
 */
const SHAPES: readonly (readonly [name: string, text: (lines: number) => string])[] = [
  ['a mapping', (lines) => 'key: value\n'.repeat(lines)],
  ['quoted lines that are not indented', (lines) => `a:\n  b: "${'x\n'.repeat(lines)}"\n`],
  ['a literal scalar', (lines) => `a: |\n${'  text\n'.repeat(lines)}`],
  ['empty lines', (lines) => `a: |+\n${'\n'.repeat(lines)}`],
  ['a plain scalar over lines', (lines) => `a: b\n${'  c\n'.repeat(lines)}`],
  ['flow sequences in one another', (lines) => '['.repeat(Math.min(lines, 9000)) + ']'.repeat(Math.min(lines, 9000))],
  ['keys that never come', (lines) => `[${'a\n,'.repeat(lines)}]`],
  ['one anchor, many aliases', (lines) => `a: &x 1\nb:\n${'- *x\n'.repeat(lines)}`],
  ['comments', (lines) => '# comment\n'.repeat(lines)],
  ['quoted lines, each in a mapping', (lines) => 'a: "x\ny"\n'.repeat(lines)],
];

describe('the work of the YAML scanner', () => {
  it.each(SHAPES)('grows linearly for %s', (_, text) => {
    const steps = (lines: number): number => {
      const token = new CountingToken();
      readYaml(text(lines), token);
      return token.reads;
    };
    const [small, large] = [steps(4000), steps(8000)];
    expect(small).toBeGreaterThan(0);
    expect(large).toBeLessThanOrEqual(2 * small + 2);
  });

  it.each(SHAPES)('stops within one step after a cancellation, for %s', (_, text) => {
    const token = new CountingToken(2);
    expect(() => readYaml(text(4000), token)).toThrow(Cancelled);
    expect(token.reads).toBe(2);
  });
});
