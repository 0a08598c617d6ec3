import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectCopy } from '../project-copy.ts';
import type { TutorialStep } from './read-tutorial.ts';

/** Pattern of the progress lines of all phases of a study, which a command prints if it takes long. */
const PROGRESS = /^assay: [a-z ]+: \d+ of \d+ rules?, \d+ s left.*\n/gm;
/** Environment variables with the author that git needs for a commit. A reader of a tutorial has already configured an author. */
const PERSON = { GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x@example.com', GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'x@example.com' };
const END = 'END_OF_A_FILE_OF_THE_TUTORIAL';

/**
 * Runs the steps of a tutorial in one shell, as a reader does, beginning in the clone. Returns a line for each step whose exit status or
 * output differs from the page.
 *
 * @param beginning shell text that runs before the first step
 */
export async function runTutorial(copy: ProjectCopy, name: string, steps: readonly TutorialStep[], beginning = ''): Promise<string[]> {
  const results = join(copy.folder, 'tutorials', name, 'results');
  const temporary = join(copy.folder, 'tutorials', name, 'tmp');
  for (const folder of [results, temporary]) mkdirSync(folder, { recursive: true });
  const shell = steps.map((step, i) => shellOf(step, join(results, String(i))));
  await copy.run([beginning, ...shell].join('\n'), '.', { ...PERSON, TMPDIR: temporary });
  return steps.flatMap((step, i) => {
    const status = textOf(join(results, `${i}.status`)).trim();
    const output = textOf(join(results, String(i))).replaceAll(PROGRESS, '');
    const wanted = 'command' in step ? String(step.status) : '0';
    const shown = 'command' in step ? step.output : undefined;
    if (status !== wanted) return [`line ${step.line}: status ${status || 'unknown'} instead of ${wanted}:\n${output}`];
    return shown === undefined || isShown(shown, output) ? [] : [`line ${step.line}: the output is\n${output}`];
  });
}

/**
 * Returns a step of a tutorial as a group of shell commands. The folder, variables and functions that the step sets remain in effect for
 * the next step.
 */
function shellOf(step: TutorialStep, result: string): string {
  const shell = 'command' in step ? step.command : `cat > '${step.file}' <<'${END}'\n${step.text}\n${END}`;
  return `{ ${shell}\n} > '${result}' 2>&1\necho $? > '${result}.status'`;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Returns true if an output matches the output on a page. A line `…` matches any number of lines, and a `…` within a line matches any text.
 */
export function isShown(shown: string, output: string): boolean {
  const pattern = linesOf(shown).map((line) => (line.trim() === '…' ? '(?:.*\\n)*' : `${line.split('…').map(escaped).join('.*')}\\n`));
  return new RegExp(`^${pattern.join('')}$`).test(`${linesOf(output).join('\n')}\n`);
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Returns the lines of a text without white space at their ends, and without empty lines around them. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '')
    .split('\n');
