import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestContext } from 'vitest';
import { loadScripts } from '../loaded-scripts.ts';
import { ProjectCopy } from '../project-copy.ts';
import type { Ended } from '../project-copy.ts';
import { thorough } from '../thorough.ts';
import { documentedCommands } from './documented-pages.ts';
import { findCommands } from './find-commands.ts';
import type { DocumentedCommand } from './find-commands.ts';
import { layFixtures } from './lay-fixtures.ts';
import { LONG, NOT_RUN } from './not-run.ts';
import { planRun } from './plan-run.ts';
import type { PlannedRun } from './plan-run.ts';
import { ServedCommand } from './served-command.ts';
import { StartedService } from './started-service.ts';

const commands = documentedCommands();
/** True if curl is installed. A minimal machine may lack it. */
const curlOnPath = spawnSync('curl', ['--version']).status === 0;
/** Documented commands, without the commands in blocks of tutorials. tutorials.spec.ts runs those in their order. */
const single = commands.filter(({ page, inline }) => inline || !page.startsWith('docs/tutorial/'));
/** Commands without duplicates. Equal commands run once, for their first occurrence. */
const distinct = [...new Map(single.toReversed().map((one) => [planKey(one), one])).values()].toReversed();

function planKey(command: DocumentedCommand): string {
  const plan = planRun(command);
  return JSON.stringify([plan.state === 'not run' ? command.text : plan, command.status, command.output]);
}

let copy: ProjectCopy;
let service: StartedService;
let served: ServedCommand;
/** Ends of the scripts that tell their usage, by command. One process loads them all, but not in thorough test runs. */
let usages: ReadonlyMap<string, Ended> = new Map();
beforeAll(async () => {
  copy = new ProjectCopy();
  layFixtures(copy.folder);
  served = await ServedCommand.start();
  service = await StartedService.start(copy);
  if (!thorough)
    usages = await loadScripts(
      copy,
      runs().filter((shell) => shell.endsWith(' --help')),
    );
});
afterAll(async () => {
  await service?.stop();
  copy.remove();
  served.stop();
});

/** Returns why a command is not run in this test run; undefined if it is run. */
function whyNot(command: DocumentedCommand): string | undefined {
  const plan = planRun(command);
  if (plan.state === 'not run') return plan.why;
  if (plan.state === 'run in the long form' && !thorough) return 'ASSAY_THOROUGH=1 runs it';
  return /\bcurl /.test(command.text) && !curlOnPath ? 'curl is not on PATH' : undefined;
}

/** Normalizes a text for comparison. Texts that differ only in white space, JSON escapes or times become equal. */
const comparable = (text: string): string =>
  text
    .replaceAll('\\', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\d+(?:\.\d+)? (ms|s)\b/g, 'N $1')
    .trim();

/**
 * Returns the first part of a documented output that the actual output lacks. Returns undefined if the actual output contains all parts in
 * order. A `…` in the documented output matches any text.
 */
function firstMissing(shown: string, output: string): string | undefined {
  const real = comparable(output);
  let at = 0;
  for (const part of comparable(shown).split(' … ')) {
    const index = real.indexOf(part, at);
    if (index < 0) return part;
    at = index + part.length;
  }
  return undefined;
}

describe('the list of documented commands that tests do not run', () => {
  it('contains only documented commands', () => {
    const known = new Set(commands.flatMap(({ text, page }) => [text, page]));
    expect([...Object.keys(NOT_RUN), ...LONG].filter((entry) => !known.has(entry))).toEqual([]);
  });

  it('contains no duplicates', () => {
    expect(LONG.filter((entry) => entry in NOT_RUN)).toEqual([]);
  });
});

/**
 * Returns true for commands that replace the bundle of the command line. Each of them runs alone, because other commands need the bundle.
 */
const buildsPackage = ({ text }: DocumentedCommand): boolean => /^npm run (?:--silent )?(?:pack|executable)\b/.test(text);
const named = (some: readonly DocumentedCommand[]) =>
  some.map((command) => [`${command.page}:${command.line}`, command.text, command] as const);

/**
 * Returns a command as a normal test run runs it: with 1 s for each time that it may use up. A script of package.json and a
 * tool run without npm, which takes as long as the script. A thorough test run runs the command as the documents show it.
 */
function shortened({ shell, folder }: PlannedRun & { readonly state: 'run' | 'run in the long form' }): string {
  if (thorough) return shell;
  const quick = shell.replaceAll(/ --(budget|duration) \d+s\b/g, ' --$1 1s');
  if (folder !== '.') return quick;
  return quick.replaceAll(
    /\bnpm run (?:--silent )?(?:tool -- )?([\w-]+)(?: --(?= ))?/g,
    (whole, name: string) => copy.scripts.get(name) ?? whole,
  );
}

/** Pattern of commands that need a process of their own: they read standard input, or their process proves something. */
const OWN_PROCESS = /[|<]|\blsp\b|--timeout/;

/**
 * Returns a command in which the server of this spec answers `assay`. Such a command starts no process of Node. The long form runs each
 * command as the documents show it.
 */
function servedForm(shell: string): string {
  if (thorough || OWN_PROCESS.test(shell)) return shell;
  return `${served.functionFor(copy.folder)}${shell.replaceAll(/(?<=^|\s)\.\/assay\b/g, 'assay')}`;
}

/** Returns the commands that this test run runs, in the form in which it runs them. */
const runs = (): string[] =>
  distinct.flatMap((command) => {
    const plan = planRun(command);
    return plan.state === 'not run' || whyNot(command) !== undefined ? [] : [shortened(plan)];
  });

type Named = ReturnType<typeof named>[number];
async function runDocumented([, text, command]: Named, { skip, expect }: TestContext): Promise<void> {
  const reason = whyNot(command);
  if (reason !== undefined) return skip(reason);
  const plan = planRun(command);
  if (plan.state === 'not run') return;
  if (text === 'npm start') return expect(service.announced).toContain('Assay listens on http://');
  const env = { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' };
  const shell = shortened(plan).replaceAll('127.0.0.1:8080', service.address);
  const ended = usages.get(shell) ?? (await copy.run(servedForm(shell), plan.folder, env));
  expect(ended, `${ended.stdout.slice(-2000)}${ended.stderr.slice(-2000)}`).toMatchObject({ status: command.status ?? 0 });
  if (command.output !== undefined) expect(firstMissing(command.output, ended.stdout)).toBeUndefined();
}

describe('a documented command that builds the package', () => {
  it.for(named(distinct.filter(buildsPackage)))('ends and prints as documented: %s %s', runDocumented);
});

describe.concurrent('a documented command', () => {
  it.for(named(distinct.filter((command) => !buildsPackage(command))))('ends and prints as documented: %s %s', runDocumented);
});

describe('finding the commands of a document', () => {
  it('works in blocks, tables and running text, with line numbers', () => {
    const page = [
      'Run `npm run a -- --x` or `npm`.',
      '',
      '| a | b |',
      '|---|---|',
      '| `assay b \\| cat` | c |',
      '',
      '```sh',
      'mkdir x',
      'A=1 curl \\',
      '  -s x   # exit status 1: y',
      'cat x | assay c -',
      '```',
      '',
      '```text',
      'out',
      '```',
    ];
    expect(findCommands('p.md', page.join('\n')).map(({ line, text, status, output }) => [line, text, status, output])).toEqual([
      [1, 'npm run a -- --x', undefined, undefined],
      [5, 'assay b | cat', undefined, undefined],
      [9, 'A=1 curl -s x', 1, undefined],
      [11, 'cat x | assay c -', undefined, 'out'],
    ]);
  });
});
