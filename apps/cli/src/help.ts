import { readArguments } from './read-arguments.ts';

/** Prints the help that arguments ask for; false where they ask for something else, or are wrong. */
export function printHelp(argv: readonly string[]): boolean {
  try {
    const command = readArguments(argv);
    if (command.name !== 'help') return false;
    process.stdout.write(command.text);
    return true;
  } catch {
    return false;
  }
}
