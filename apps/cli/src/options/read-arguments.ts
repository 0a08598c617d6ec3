import { Command as Parser, CommanderError } from 'commander';
import { MINOR_RANGE } from '#kube';
import { packageVersion } from '#telemetry';
import { COMMANDS } from '../commands/all-commands.ts';
import type { Command } from '../commands/command.ts';
import { UsageError } from '../usage.ts';
import { applySettings, findSettings } from './settings-file.ts';

/** Text that is printed for a command line without arguments. */
const FIRST_STEPS = `Assay says what the kube-apiserver would say of custom resources, and what each rule costs.

  assay evaluate crds/ objects/                     judge objects against their definitions
  assay explain crd.yaml                            what each CEL rule may cost, and which bounds would help
  assay what-if --from old.yaml --to new.yaml dump/ what breaks if a definition changes

assay --help lists all commands, assay COMMAND --help their options.
`;
/** Text that the help shows below the list of commands. */
const BELOW_COMMANDS = `
Exit status: 0 everything accepted, 1 something refused or not judged, 2 wrong usage, 3 internal error.
Tables of explain and bench fit into COLUMNS characters, or into the terminal. In a pipe or a file, they have their full width.`;

/** Meaning of a command line: a text to print, such as the help or the version, or a command with its parsed arguments. */
type Asked =
  | { readonly kind: 'help'; readonly text: string }
  | {
      readonly kind: 'command';
      readonly command: Command;
      readonly parsed: object;
      /** Time in ms after which the command is ended; undefined for no limit. */
      readonly timeoutMs: number | undefined;
    };

/**
 * Parses the command line with the project settings of a folder. Each command accepts only its own options. Throws {@link UsageError} if
 * the command line is wrong.
 */
export function readArguments(argv: readonly string[], folder = process.cwd()): Asked {
  let asked: Asked | undefined;
  let help = '';
  const program = programOf(
    (understood) => (asked = understood),
    (text) => (help += text),
  ).hook('preAction', (_, parser) => {
    if (parser.options.length === 0) return;
    try {
      const settings = findSettings(folder);
      if (settings) applySettings(parser, settings);
    } catch (error) {
      // The language server must keep running while its user corrects the settings file.
      if (parser.name() !== 'lsp' || !(error instanceof UsageError)) throw error;
      parser.setOptionValueWithSource('problem', error.message, 'config');
    }
  });
  const [first, named = ''] = argv;
  if (first === 'help' && named !== '' && !named.startsWith('-') && !isCommand(named))
    throw new UsageError(`unknown command '${named}'${validWords(program, argv, 'commander.unknownCommand')}`);
  if (argv.length === 0) return { kind: 'help', text: FIRST_STEPS };
  try {
    program.parse(argv.map(withoutAdvice), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0 || error.code === 'commander.help') return asked ?? { kind: 'help', text: help };
    throw new UsageError(`${error.message.replace(/^error: /, '')}${validWords(program, argv, error.code)}`);
  }
  return asked ?? { kind: 'help', text: program.helpInformation() };
}

const isCommand = (name: string): boolean => COMMANDS.some((command) => command.name === name);

/** Returns a text with the words that would be valid instead of an unknown word. */
function validWords(program: Parser, [name = '']: readonly string[], code: string): string {
  const command = program.commands.find((one) => one.name() === name);
  if (code === 'commander.unknownCommand' || command === undefined) return `\nCommands: ${COMMANDS.map(({ name }) => name).join(', ')}`;
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
  const program = programOf(
    () => undefined,
    () => undefined,
  );
  return [program, ...program.commands].map((one) => ({ name: one.name(), text: one.helpInformation() }));
}

/** Returns the version of the package as text. If `verbose` is true, the Kubernetes minor versions follow in a second line. */
const versionText = ({ verbose = false }: { readonly verbose?: boolean }): string =>
  `${packageVersion()}\n${verbose ? `Kubernetes ${MINOR_RANGE}\n` : ''}`;

function programOf(understand: (asked: Asked) => void, write: (text: string) => void): Parser {
  const program = new Parser('assay')
    .description("The kube-apiserver's verdict on custom resources, with the price of every rule.")
    .usage('COMMAND [options] [PATH…]')
    .addHelpText('after', BELOW_COMMANDS)
    .configureHelp({ helpWidth: 120, subcommandTerm: (command) => command.name() })
    .option('-V, --version', 'print the version')
    .option('-v, --verbose', 'print the version, and the supported Kubernetes versions')
    .on('option:version', () => understand({ kind: 'help', text: versionText(program.opts()) }))
    .on('option:verbose', () => understand({ kind: 'help', text: versionText({ verbose: true }) }))
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined });
  for (const command of COMMANDS) {
    const parser = program.command(command.name).description(command.help);
    command.options(parser, (parsed) => {
      const { timeout: timeoutMs } = parser.opts<{ readonly timeout?: number }>();
      understand({ kind: 'command', command, parsed, timeoutMs });
    });
  }
  return program;
}

/** Prints the help that the arguments request. Returns false if the arguments request something else, or are wrong. */
export function printHelp(argv: readonly string[]): boolean {
  try {
    const asked = readArguments(argv);
    if (asked.kind !== 'help') return false;
    process.stdout.write(asked.text);
    return true;
  } catch {
    return false;
  }
}
