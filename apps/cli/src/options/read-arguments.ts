import { Command as Program, CommanderError } from 'commander';
import { MINOR_RANGE } from '#kube';
import { packageVersion } from '#telemetry';
import { applySettings } from './apply-settings.ts';
import { addBench } from '../commands/bench/command.ts';
import { addDiff, addMatrix, addUpgradeCheck, addWhatIf } from '../arguments/comparing-commands.ts';
import { addGuard } from '../commands/guard/command.ts';
import { addLoad } from '../commands/load/command.ts';
import { addEval, addEvaluate, addExplain } from '../arguments/judging-commands.ts';
import { addSmallCommands, addTest } from '../arguments/other-commands.ts';
import { BELOW_COMMANDS, FIRST_STEPS } from '../command-words.ts';
import type { Command } from '../commands.ts';
import { withReading, withTimeout } from './shared-options.ts';
import { findSettings } from './settings-file.ts';
import { UsageError } from '../usage.ts';

/**
 * Parses the command line with the project settings of a folder. Each command accepts only its own options. Throws {@link UsageError} if
 * the command line is wrong.
 */
export function readArguments(argv: readonly string[], folder = process.cwd()): Command {
  let command: Command | undefined;
  let help = '';
  const program = programOf(
    (understood) => (command = understood),
    (text) => (help += text),
  ).hook('preAction', (_, command) => {
    if (command.options.length === 0) return;
    try {
      const settings = findSettings(folder);
      if (settings) applySettings(command, settings);
    } catch (error) {
      // An editor keeps its server while its user repairs the settings.
      if (command.name() !== 'lsp' || !(error instanceof UsageError)) throw error;
      command.setOptionValueWithSource('problem', error.message, 'config');
    }
  });
  const [first, named = ''] = argv;
  if (first === 'help' && named !== '' && !named.startsWith('-') && !namesOf(program).includes(named))
    throw new UsageError(`unknown command '${named}'${validWords(program, argv, 'commander.unknownCommand')}`);
  if (argv.length === 0) return { name: 'help', text: FIRST_STEPS };
  try {
    program.parse(argv.map(withoutAdvice), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0 || error.code === 'commander.help') return command ?? { name: 'help', text: help };
    throw new UsageError(`${error.message.replace(/^error: /, '')}${validWords(program, argv, error.code)}`);
  }
  return command ?? { name: 'help', text: program.helpInformation() };
}

const namesOf = ({ commands }: Program): readonly string[] => commands.map((command) => command.name());

/** Returns the names of all commands. */
export const commandNames = (): readonly string[] => namesOf(silentProgram());

/** Returns a text with the words that would be valid instead of an unknown word. */
function validWords(program: Program, [name = '']: readonly string[], code: string): string {
  const command = program.commands.find((one) => one.name() === name);
  if (code === 'commander.unknownCommand' || command === undefined) return `\nCommands: ${namesOf(program).join(', ')}`;
  if (code === 'commander.unknownOption') {
    const options = command.options.flatMap(({ short, long }) => long ?? short ?? []);
    return `\nOptions of ${name}: ${[...options, '--help'].join(', ')}`;
  }
  if (code !== 'commander.excessArguments' && code !== 'commander.missingArgument') return '';
  const operands = command.registeredArguments.map((one) => (one.variadic ? `${one.name()}…` : one.name()));
  return `\nOperands of ${name}: ${operands.length === 0 ? 'none' : operands.join(' ')}`;
}

/**
 * Returns a bare `--no-advice` as `--no-advice=all`, and all other arguments unchanged. Without the value, the parser would use the next
 * path as the value of `--no-advice`.
 */
const withoutAdvice = (argument: string): string => (argument === '--no-advice' ? '--no-advice=all' : argument);

/** Returns the help texts of the program and of all commands. docs/reference/command-line.md is generated from them. */
export function helpPages(): readonly { readonly name: string; readonly text: string }[] {
  const program = silentProgram();
  return [program, ...program.commands].map((one) => ({ name: one.name(), text: one.helpInformation() }));
}

/** Returns the program for reading its commands and options, and not for parsing. */
const silentProgram = (): Program =>
  programOf(
    () => undefined,
    () => undefined,
  );

/** Returns the version of the package as text. If `verbose` is true, the Kubernetes minor versions follow in a second line. */
const versionText = ({ verbose = false }: { readonly verbose?: boolean }): string =>
  `${packageVersion()}\n${verbose ? `Kubernetes ${MINOR_RANGE}\n` : ''}`;

function programOf(understand: (command: Command) => void, write: (text: string) => void): Program {
  const program = new Program('assay')
    .description("The kube-apiserver's verdict on custom resources, with the price of every rule.")
    .usage('COMMAND [options] [PATH…]')
    .addHelpText('after', BELOW_COMMANDS)
    .configureHelp({ helpWidth: 120, subcommandTerm: (command) => command.name() })
    .option('-V, --version', 'print the version')
    .option('-v, --verbose', 'print the version, and the Kubernetes versions that it knows')
    .on('option:version', () => understand({ name: 'help', text: versionText(program.opts()) }))
    .on('option:verbose', () => understand({ name: 'help', text: versionText({ verbose: true }) }))
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined });
  const judging = [addEvaluate, addEval, addExplain, addBench, addMatrix, addWhatIf, addUpgradeCheck, addDiff, addGuard, addTest, addLoad];
  for (const add of judging) add(program, understand);
  for (const command of program.commands) {
    const isServer = command.name() === 'guard';
    if (!isServer) withTimeout(command.name() === 'test' ? command : withReading(command));
  }
  addSmallCommands(program, understand);
  return program;
}
