import type { DocumentedCommand } from './find-commands.ts';
import { LONG, NOT_RUN } from './not-run.ts';

/** Decision of how CI treats a documented command: it runs the command, runs it only in long test runs, or does not run it. */
export type PlannedRun =
  | { readonly state: 'run' | 'run in the long form'; readonly shell: string; readonly folder: string }
  | { readonly state: 'not run'; readonly why: string };

/**
 * Values that replace placeholders. Optional arguments in brackets are included. Of alternatives separated by `|`, the first one is used.
 */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  N: '200',
  S: '1',
  E: 'compiled',
  DIR: 'crds',
  NAME: 'cel-check',
  EXPERIMENT: 'element-size',
};
/** Folders in which the commands of a page run, by page. */
const FOLDERS: Readonly<Record<string, string>> = { 'docs/how-to/suites.md': 'first-suite' };
/** Pattern of a command that running text only mentions. CI runs such a command with `--help`. */
const NAMED = /^(?:(?:\.\/)?assay [\w-]+|npm run (?:--silent )?(?:tool -- )?[\w-]+)(?: -- …)?$/;

/** Returns how a documented command is run, or why it is not run. */
export function planRun({ text, page, inline }: DocumentedCommand): PlannedRun {
  const why = NOT_RUN[text] ?? NOT_RUN[page];
  if (why !== undefined) return { state: 'not run', why };
  const shell = inline && NAMED.test(text) ? askingForHelp(text.replace(' -- …', '')) : withoutPlaceholders(text);
  return { state: LONG.includes(text) ? 'run in the long form' : 'run', shell, folder: FOLDERS[page] ?? '.' };
}

/** Returns a text table with a line for each command: where it is documented, how CI treats it, and the command itself. */
export function tableOfRuns(commands: readonly DocumentedCommand[]): string {
  const rows = commands.map((command) => {
    const plan = planRun(command);
    return [`${command.page}:${command.line}`, plan.state === 'not run' ? `not run: ${plan.why}` : plan.state, command.text] as const;
  });
  const width = Math.max(...rows.map(([place]) => place.length));
  return rows.map(([place, state, text]) => `${place.padEnd(width)}  ${text}\n${' '.repeat(width)}    ${state}\n`).join('');
}

/** Returns a command with the option `--help`, which npm passes on only after `--`. */
const askingForHelp = (text: string): string => `${text}${text.startsWith('npm ') && !text.includes(' -- ') ? ' --' : ''} --help`;

function withoutPlaceholders(text: string): string {
  return text
    .replaceAll(/\[((?:-- )?[^[\]"{}]+)\]/g, '$1')
    .replaceAll(/(?<= )([a-z]+)(?:\|[a-z]+)+(?= |$)/g, '$1')
    .replaceAll(/(?<=[ =])([A-Z]+)…?(?= |$)/g, (whole, name: string) => PLACEHOLDERS[name] ?? whole);
}
