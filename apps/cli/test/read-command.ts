import { readArguments } from '../src/options/read-arguments.ts';

/** Parses a command line. Returns the name of the command with its parsed arguments, or the text of the help. */
export function readCommand(argv: readonly string[], folder?: string): object {
  const asked = readArguments(argv, folder);
  return asked.kind === 'help' ? asked : { name: asked.command.name, ...asked.parsed };
}
