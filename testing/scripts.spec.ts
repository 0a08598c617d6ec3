import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GENERATED_FILES } from '../scripts/generate/generated-files.mjs';
import { TOOLS } from '../scripts/tools/table.ts';
import { documentedCommands } from './documented-commands/documented-pages.ts';
import { planRun } from './documented-commands/plan-run.ts';
import { loadScripts } from './loaded-scripts.ts';
import { ProjectCopy } from './project-copy.ts';
import type { Ended } from './project-copy.ts';
import { sampled, thorough } from './thorough.ts';

const ROOT = resolve(import.meta.dirname, '..');
const {
  // npm runs this script after each installation.
  scripts: { prepare, ...scripts },
} = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
/** Start of a script that installs what its program needs, and with `--build` builds it. */
const RUN = /^(?:exec (?:env \w+=\w+ )?)?scripts\/run (?<build>--build )?/;
const tools = Object.keys(TOOLS);
const names = [...Object.keys(scripts), ...tools];

/**
 * Scripts and tools that run another project's program, which handles options and operands itself. Each entry states why this spec does not
 * test the script.
 */
const FOREIGN: Readonly<Record<string, string>> = {
  dev: 'starts Nest, which watches until it is ended',
  format: 'oxfmt has an answer of its own; npm run check runs it',
  lint: 'oxlint has an answer of its own; npm run check runs it',
  imports: 'dependency-cruiser has an answer of its own; npm run check runs it',
};
const ours = names.filter((name) => !(name in FOREIGN));

const TELLS_USAGE = /^npm run (?:--silent )?(?:tool -- ([\w-]+)|([\w-]+) --) --help$/;
/** Scripts that a documented command runs with `--help`, which shows that they read their arguments first. */
const documented = new Set(
  documentedCommands()
    .map((command) => planRun(command))
    .flatMap((plan) => (plan.state === 'run' ? (TELLS_USAGE.exec(plan.shell)?.slice(1) ?? []) : [])),
);
const programOf = (name: string): string =>
  / (\S+\.(?:mjs|ts|js))(?: |$)/.exec(` ${scripts[name] ?? TOOLS[name]!.runs}`.replace(/--import \S+ /, ''))?.[1] ?? name;
/**
 * Scripts that this test run calls. A thorough run calls all. A normal run calls the scripts that no documented command runs, and only one
 * of several that start the same program.
 */
const called = ours
  .filter((name) => thorough || !documented.has(name))
  .filter((name, i, all) => thorough || all.findIndex((other) => programOf(other) === programOf(name)) === i);
/** Arguments that no script takes. */
const WRONG = sampled(['--no-such-option', 'no-such-operand'], 2);

let copy: ProjectCopy;
/** Ends of the scripts that one process loaded, by command. In thorough test runs, each script has a process of its own. */
let loaded: ReadonlyMap<string, Ended> = new Map();
const commandOf = (name: string, argument: string): string => `${copy.scripts.get(name)!} ${argument}`;
beforeAll(async () => {
  copy = new ProjectCopy();
  if (!thorough)
    loaded = await loadScripts(
      copy,
      called.flatMap((name) => WRONG.map((argument) => commandOf(name, argument))),
    );
});
afterAll(() => copy.remove());

/** Runs a script or a tool as npm does, with an additional argument. */
const run = (name: string, argument: string): Promise<Ended> => copy.run(commandOf(name, argument));
const output = ({ stdout, stderr }: Ended): string => stdout + stderr;

describe('the scripts of package.json', () => {
  it('are few enough to fit on one screen', () => {
    expect(Object.keys(scripts).length).toBeLessThan(25);
    expect(tools.filter((name) => name in scripts)).toEqual([]);
  });

  it('install their dependencies before they run', () => {
    expect(Object.entries(scripts).filter(([, script]) => !RUN.test(script))).toEqual([]);
  });

  it('are built before they run if they need it', () => {
    const needBuild = Object.entries(scripts).filter(([, script]) => script.includes(' dist/'));
    expect(needBuild.filter(([, script]) => RUN.exec(script)?.groups?.['build'] === undefined)).toEqual([]);
  });

  it('include every script that documents, usage texts and comments name', () => {
    const listed = execFileSync('git', ['ls-files', '-z', '--', ':!*.spec.ts', ':!CHANGELOG.md'], { cwd: ROOT, encoding: 'utf8' });
    const unknown = listed
      .split('\0')
      .filter((file) => /\.(?:md|mjs|ts|tsx|ya?ml|sh|json)$/.test(file) && existsSync(join(ROOT, file)))
      .flatMap((file) => readFileSync(join(ROOT, file), 'utf8').match(/\bnpm run (?:--silent )?(?:tool -- )?[a-z][\w-]*/g) ?? [])
      .filter((command) => {
        const [, tool, script = ''] = /(tool -- )?([\w-]+)$/.exec(command) ?? [];
        return !(script in (tool === undefined ? scripts : TOOLS));
      });
    expect(unknown).toEqual([]);
  });

  it('print nothing on standard output before the program runs', async () => {
    expect(await copy.run('node scripts/bootstrap.mjs --build')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('generate the files that Git does not store after an installation', async () => {
    const texts = (): string[] => GENERATED_FILES.map((file) => readFileSync(join(copy.folder, file), 'utf8'));
    const before = texts();
    for (const file of GENERATED_FILES) rmSync(join(copy.folder, file));
    expect(await copy.run(prepare!)).toMatchObject({ status: 0, stdout: '' });
    expect(texts()).toEqual(before);
  });

  it('are programs of other projects only if the list names them', () => {
    expect(Object.keys(FOREIGN).filter((name) => !names.includes(name))).toEqual([]);
    expect(ours.filter((name) => (scripts[name] ?? TOOLS[name]!.runs).includes('node_modules/'))).toEqual([]);
  });
});

describe.concurrent('a script of package.json', () => {
  it.runIf(thorough).each(ours)('%s prints its usage', async (name) => {
    const help = await run(name, '--help');
    expect(help).toMatchObject({ status: 0 });
    expect(output(help)).toMatch(/usage: /i);
  });

  it.each(called.flatMap((name) => WRONG.map((argument) => [name, argument] as const)))(
    '%s exits with 2 and names its valid arguments, given %s',
    async (name, argument) => {
      const ended = loaded.get(commandOf(name, argument)) ?? (await run(name, argument));
      expect(ended).toMatchObject({ status: 2, stdout: '' });
      expect(ended.stderr).toMatch(/usage: |Options of |Commands: /);
    },
  );
});

describe('npm run tool', () => {
  it('lists all tools, each on one line, if no tool is named', async () => {
    const list = await copy.run(copy.scripts.get('tool')!);
    expect(list).toMatchObject({ status: 0, stderr: '' });
    expect(list.stdout.split('\n').map((line) => line.split('  ')[0])).toEqual(expect.arrayContaining(tools));
  });

  it("exits with the tool's status, and passes its arguments on", async () => {
    const ended = await copy.run(`${copy.scripts.get('tool')!} random-cases --count x`);
    expect(ended).toMatchObject({ status: 2, stdout: '' });
    expect(ended.stderr).toMatch(/^--count must be a whole number, not "x"\nusage: npm run tool -- random-cases /);
  });
});

describe('programs in the folder scripts/', () => {
  it('parse their arguments with the same function', () => {
    const others = readdirSync(join(ROOT, 'scripts'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:mjs|ts)$/.test(file))
      .filter((file) => /\bparseArgs\b|process\.argv\.(?:includes|slice)/.test(readFileSync(join(ROOT, 'scripts', file), 'utf8')));
    // The first runs before anything is installed, under whatever Node npm was started with. The others only pass on their arguments.
    expect(others.toSorted()).toEqual(['bootstrap.mjs', 'loading/start-command.ts', 'tools/main.ts']);
  });
});
