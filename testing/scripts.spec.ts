import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedCommands } from './documented-commands/documented-pages.ts';
import { planRun } from './documented-commands/plan-run.ts';
import { ProjectCopy } from './project-copy.ts';
import type { Ended } from './project-copy.ts';
import { sampled, thorough } from './thorough.ts';

const ROOT = resolve(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const BOOTSTRAP = /^node scripts\/bootstrap\.mjs(?: --build)?$/;
const names = Object.keys(scripts).filter((name) => !BOOTSTRAP.test(scripts[name]!));

/**
 * Scripts that run another project's program, which handles options and operands itself. Each entry states why this spec does not test the
 * script.
 */
const FOREIGN: Readonly<Record<string, string>> = {
  dev: 'starts Nest, which watches until it is ended',
  format: 'oxfmt has an answer of its own; npm run check runs it',
  lint: 'oxlint has an answer of its own; npm run check runs it',
  imports: 'dependency-cruiser has an answer of its own; npm run check runs it',
};
const ours = names.filter((name) => !(name in FOREIGN));

/** Scripts that a documented command runs with `--help`, which shows that they read their arguments first. */
const documented = new Set(
  documentedCommands()
    .map((command) => planRun(command))
    .flatMap((plan) => (plan.state === 'run' ? (/^npm run (?:--silent )?([\w-]+) -- --help$/.exec(plan.shell)?.slice(1) ?? []) : [])),
);
const programOf = (name: string): string => / (\S+\.(?:mjs|ts|js))(?: |$)/.exec(scripts[name]!.replace(/--import \S+ /, ''))?.[1] ?? name;
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
/** Ends of the scripts that one process loaded, by the names of the scripts. */
const loaded = new Map<string, Ended>();
beforeAll(async () => {
  copy = new ProjectCopy();
  if (!thorough) await loadScripts();
});
afterAll(() => copy.remove());

/** Command of a script that needs no process of its own: the options for Node, the file, and the arguments. */
const PLAIN = /^node_modules\/\.bin\/node (?<options>(?:--conditions=source )?)(?<file>\S+\.(?:mjs|ts|js))(?<argv>(?: \S+)*)$/;

/** Loads the called scripts with a wrong argument, all those with the same options for Node into one process. */
async function loadScripts(): Promise<void> {
  const plain = called.flatMap((name) => {
    const { options, file = '', argv = '' } = PLAIN.exec(copy.scripts.get(name)!)?.groups ?? {};
    return options === undefined ? [] : [{ name, options, words: [file, ...argv.split(' ').filter((word) => word !== ''), ...WRONG] }];
  });
  for (const [options, scripts] of Map.groupBy(plain, (script) => script.options)) {
    const given = JSON.stringify(scripts.map(({ words }) => words));
    const { status, stdout, stderr } = await copy.run(`node_modules/.bin/node ${options}testing/load-scripts.ts '${given}'`);
    expect(status, stderr).toBe(0);
    for (const [i, ended] of (JSON.parse(stdout) as Ended[]).entries()) loaded.set(scripts[i]!.name, ended);
  }
}

/** Runs a script as npm does, with an additional argument. */
const run = (name: string, argument: string): Promise<Ended> => copy.run(`${copy.scripts.get(name)!} ${argument}`);
const output = ({ stdout, stderr }: Ended): string => stdout + stderr;

describe('the scripts of package.json', () => {
  it('install what they need before they run', () => {
    expect(names.filter((name) => !BOOTSTRAP.test(scripts[`pre${name}`] ?? ''))).toEqual([]);
  });

  it('are built before they run where they need it', () => {
    const needBuild = names.filter((name) => scripts[name]!.includes(' dist/'));
    expect(needBuild.filter((name) => !scripts[`pre${name}`]!.endsWith(' --build'))).toEqual([]);
  });

  it('say nothing on standard output before they run', async () => {
    expect(await copy.run('node scripts/bootstrap.mjs --build')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('are programs of other projects only where the list names them', () => {
    expect(Object.keys(FOREIGN).filter((name) => !names.includes(name))).toEqual([]);
    expect(ours.filter((name) => !/^(?:exec (?:env \w+=\w+ )?)?node_modules\/\.bin\/node /.test(scripts[name]!))).toEqual([]);
  });
});

describe.concurrent('a script', () => {
  it.runIf(thorough).each(ours)('%s tells its usage', async (name) => {
    const help = await run(name, '--help');
    expect(help).toMatchObject({ status: 0 });
    expect(output(help)).toMatch(/usage: /i);
  });

  it.each(called.flatMap((name) => WRONG.map((argument) => [name, argument] as const)))(
    '%s ends with 2 and names what it takes, given %s',
    async (name, argument) => {
      // In thorough test runs, each script has a process of its own.
      const ended = loaded.get(name) ?? (await run(name, argument));
      expect(ended).toMatchObject({ status: 2, stdout: '' });
      expect(ended.stderr).toMatch(/usage: |Options of |Commands: /);
    },
  );
});

describe('programs in scripts/', () => {
  it('read their arguments in one way', () => {
    const others = readdirSync(join(ROOT, 'scripts'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:mjs|ts)$/.test(file))
      .filter((file) => /\bparseArgs\b|process\.argv\.(?:includes|slice)/.test(readFileSync(join(ROOT, 'scripts', file), 'utf8')));
    // The first runs before anything is installed, under whatever Node npm was started with. The second only passes on which command it is.
    expect(others.toSorted()).toEqual(['bootstrap.mjs', 'loading/start-command.ts']);
  });
});
