import type { Command as Parser } from 'commander';
import type { Engine } from '#runner';
import type { ReportProblem } from '../files/file-problem.ts';

/** Things that a command gets to run with. */
export interface RunContext {
  readonly engine: Engine;
  /** Reports a problem with an input. The command goes on, and the exit status is 2 at the end. */
  readonly reportProblem: ReportProblem;
}

/**
 * Command of the command line. `Arguments` is the type of its parsed arguments. A command is declared in `commands/NAME/command.ts`. It
 * imports only what its help needs, and loads the rest when it runs.
 */
export interface Command<Arguments extends object = object> {
  readonly name: string;
  /** Sentence in the list of commands, and at the top of the command's own help. */
  readonly help: string;
  /** True if the command judges nothing, so that no engine is started for it. */
  readonly withoutEngine?: true;
  /** Adds the command's arguments and options to its parser. The parser then passes what it has parsed to `understand`. */
  options(parser: Parser, understand: (parsed: Arguments) => void): void;
  /** Runs the command with its parsed arguments. Resolves with the exit status. */
  run(parsed: Arguments, context: RunContext): Promise<number>;
}
