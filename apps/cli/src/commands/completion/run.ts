import type { Command as Program } from 'commander';
import { MINORS } from '#kube';
import { gateStarts, isGateCommand } from '../../gates/read-gates.ts';

import { EXIT } from '../../usage.ts';

/** Shell for which a completion script can be generated. */
export type Shell = 'bash' | 'zsh' | 'fish';

/** Parsed arguments of `assay completion`: the shell, and the program whose commands and options are completed. */
export interface CompletionArguments {
  readonly shell: Shell;
  readonly program: Program;
}

/** Runs `assay completion`: prints a script for a shell. Resolves with the exit status. */
export async function runCompletion({ shell, program }: CompletionArguments): Promise<number> {
  process.stdout.write(completionScript(shell, program));
  return EXIT.ok;
}

/** Option of a command, with the facts that a completion script needs. */
interface Completed {
  readonly flags: readonly string[];
  /** Words that may follow the option. Undefined if the option takes no value; empty if the value is a file or free text. */
  readonly choices: readonly string[] | undefined;
  readonly description: string;
}

/**
 * Returns a shell script that completes the commands of a program, their options, and the values of options. The script completes file
 * names if no words are known.
 */
function completionScript(shell: Shell, program: Program): string {
  const commands = program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    words: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    options: command.options.map((option): Completed => ({
      flags: [option.short, option.long].filter((flag) => flag !== undefined && flag !== null),
      choices: option.required || option.optional ? (option.argChoices ?? wordsFor(command.name(), option.long)) : undefined,
      description: option.description,
    })),
  }));
  if (shell === 'fish') return fishScript(commands);
  const script = bashScript(commands);
  return shell === 'zsh' ? `#compdef assay\nautoload -U +X bashcompinit && bashcompinit\n${script}` : script;
}

/** Options whose value is one minor version, or several. */
const MINOR_OPTIONS: ReadonlySet<string | null | undefined> = new Set(['--kubernetes-version', '--to-version', '--oldest', '--minors']);

/** Returns the words that may follow an option: minor versions, or gates up to their bounds. */
function wordsFor(command: string, option: string | null | undefined): readonly string[] {
  if (MINOR_OPTIONS.has(option)) return MINORS;
  return option === '--fail-on' && isGateCommand(command) ? gateStarts(command) : [];
}

interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  /** Words that are permitted as arguments of the command. */
  readonly words: readonly string[];
  readonly options: readonly Completed[];
}

function bashScript(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, options, words }) => {
    const values = options.flatMap(({ flags, choices = [] }) =>
      choices.length === 0 ? [] : [`        ${flags.join('|')}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$word")); return ;;`],
    );
    const choose = values.length === 0 ? [] : ['      case "$before" in', ...values, '      esac'];
    return [
      `    ${name})`,
      ...choose,
      `      options='${[...options.flatMap(({ flags }) => flags.filter((flag) => flag.startsWith('--'))), '--help'].join(' ')}'`,
      `      words='${words.join(' ')}' ;;`,
    ].join('\n');
  });
  return `_assay() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" options='' words=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} help --help --version' -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi ;;
  esac
}
complete -o filenames -F _assay assay
`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap(({ name, description, options, words }) => {
    const inside = `complete -c assay -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
    return [
      `complete -c assay -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
      ...(words.length === 0 ? [] : [`${inside} -f -a ${quoted(words.join(' '))}`]),
      ...options.map(({ flags, choices, description: text }) => {
        const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(' ');
        const takes = choices === undefined ? '' : choices.length === 0 ? ' -r' : ` -x -a ${quoted(choices.join(' '))}`;
        return `${inside} ${names}${takes} -d ${quoted(text)}`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}
