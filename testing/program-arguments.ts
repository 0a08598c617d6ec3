import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Parses the command-line arguments of a program of the project. `--help` prints the usage and exits with 0. An unknown option, an option
 * without its value, or an unexpected operand prints the error and the usage, and exits with 2.
 */
export function programArguments<const O extends Options>(usage: string, options: O, operands: 'no operands' | 'operands' = 'no operands') {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    process.stdout.write(usage);
    process.exit(0);
  }
  try {
    const { values, positionals } = parseArgs({ allowPositionals: operands === 'operands', options });
    return { values, positionals: positionals as readonly string[] };
  } catch (error) {
    return wrongArguments(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error), usage);
  }
}

/**
 * Parses an option that must be a whole number of 0 or more. Any other text ends the program with exit status 2, because a NaN could make
 * every comparison pass.
 */
export function wholeNumber(option: string, text: string, usage: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return wrongArguments(`--${option} must be a whole number, not ${JSON.stringify(text)}`, usage);
}

/** Prints `why`, which describes the wrong arguments, and the usage. Ends the program with exit status 2. */
export function wrongArguments(why: string, usage: string): never {
  process.stderr.write(`${why}\n${usage}`);
  process.exit(2);
}
