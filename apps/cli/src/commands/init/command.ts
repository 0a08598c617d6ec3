import type { Command } from '../command.ts';

/** The command `assay init`. It has no arguments. */
export const initCommand: Command = {
  name: 'init',
  help: 'write a file of settings, .assay.yaml, for the commands in this folder and below',
  withoutEngine: true,
  options: (parser, understand) => void parser.action(() => understand({})),
  run: async () => (await import('./run.ts')).runInit(),
};
