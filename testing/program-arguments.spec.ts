import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { programArguments, wholeNumber } from './program-arguments.ts';

const USAGE = 'usage: npm run some -- [--count N]\n';
const OPTIONS = { count: { type: 'string', default: '7' } } as const;

class Ended extends Error {
  constructor(readonly code: unknown) {
    super(`ended with ${String(code)}`);
  }
}

describe('the arguments of a program', () => {
  const argv = process.argv;
  const output = { out: '', err: '' };

  beforeEach(() => {
    Object.assign(output, { out: '', err: '' });
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Ended(code);
    });
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((output.out += String(text)), true));
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((output.err += String(text)), true));
  });

  afterEach(() => {
    process.argv = argv;
    vi.restoreAllMocks();
  });

  const given = (...args: string[]) => {
    process.argv = ['node', 'program', ...args];
    return programArguments(USAGE, OPTIONS, 'operands');
  };

  it('are read, and missing ones get their defaults', () => {
    expect(given('a', '--count', '12', 'b')).toMatchObject({ values: { count: '12' }, positionals: ['a', 'b'] });
    expect(given().values.count).toBe('7');
  });

  it('make the program print its usage if they contain --help, and exit with 0', () => {
    expect(() => given('--help')).toThrow('ended with 0');
    expect(output).toEqual({ out: USAGE, err: '' });
  });

  it('make the program exit with 2 and a message for an unknown option or a missing value', () => {
    expect(() => given('--cuont', '3')).toThrow('ended with 2');
    expect(output.err).toBe(`Unknown option '--cuont'\n${USAGE}`);
    expect(() => given('--count')).toThrow('ended with 2');
  });

  it('make a program without operands exit with 2 for an operand', () => {
    process.argv = ['node', 'program', 'a'];
    expect(() => programArguments(USAGE, OPTIONS)).toThrow('ended with 2');
    expect(output.err).toBe(`Unexpected argument 'a'\n${USAGE}`);
  });

  it('make the program exit with 2 for an invalid number', () => {
    expect(wholeNumber('count', '0012', USAGE)).toBe(12);
    for (const text of ['', 'ten', '-1', '1.5', '1e3', '9'.repeat(16)])
      expect(() => wholeNumber('count', text, USAGE)).toThrow('ended with 2');
    expect(output.err).toContain('--count must be a whole number, not "ten"');
  });
});
