import { readArguments } from './options/read-arguments.ts';

/** Prints the help that the arguments request. Returns false if the arguments request something else, or are wrong. */
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
