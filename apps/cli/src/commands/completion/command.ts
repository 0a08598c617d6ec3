import { Argument } from 'commander';
import type { Command } from '../command.ts';
import type { CompletionArguments, Shell } from './run.ts';

/** Shells for which a completion script can be generated. */
const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

/** The command `assay completion`. */
export const completionCommand: Command<CompletionArguments> = {
  name: 'completion',
  help: 'print a script that completes commands and options: source <(assay completion bash)',
  withoutEngine: true,
  options: (parser, understand) =>
    void parser
      .addArgument(new Argument('<shell>', 'shell for which the script is').choices(SHELLS))
      .action((shell: Shell) => understand({ shell, program: parser.parent ?? parser })),
  run: async (parsed) => (await import('./run.ts')).runCompletion(parsed),
};
