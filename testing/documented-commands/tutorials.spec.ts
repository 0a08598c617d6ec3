import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProjectCopy } from '../project-copy.ts';
import { thorough } from '../thorough.ts';
import { readTutorial } from './read-tutorial.ts';
import { ServedCommand } from './served-command.ts';
import { isShown, runTutorial } from './tutorial-session.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/tutorial');
const pages = readdirSync(FOLDER).filter((file) => file.endsWith('.md'));

let copy: ProjectCopy;
let served: ServedCommand;
beforeAll(async () => {
  copy = new ProjectCopy();
  served = await ServedCommand.start();
});
afterAll(() => {
  copy?.remove();
  served?.stop();
});

// In thorough test runs, the pages start the clone's command, as a reader does.
describe.concurrent('a tutorial', () => {
  it.for(pages)('%s contains each file that it needs, and the real output of its commands', async (page, { expect }) => {
    const steps = readTutorial(page, readFileSync(join(FOLDER, page), 'utf8'));
    expect(steps.length).toBeGreaterThan(5);
    const beginning = thorough ? '' : served.functionFor(copy.folder);
    expect(await runTutorial(copy, page.replace('.md', ''), steps, beginning)).toEqual([]);
  });
});

describe('running a tutorial', () => {
  const page = (...lines: readonly string[]): ReturnType<typeof readTutorial> => readTutorial('p.md', lines.join('\n'));
  const session = ['Go. Save this as `ab.txt`:', '', '```yaml', "it's: $HOME", '```', ''];

  it('keeps the folder and the shell functions between blocks, and creates the shown files', async () => {
    const start = ['```sh', 'cd "$(mktemp -d)"', 'say() { cat \\', '  "$1"; }', '```', ''];
    const end = ['```sh', 'say ab.txt', '```', '', '```text', "it's: $HOME", '```'];
    expect(await runTutorial(copy, 'right', page(...start, ...session, ...end))).toEqual([]);
  });

  it('reports another exit status, and another output', async () => {
    const wrong = ['```sh status=2', 'true', 'false', '```', '', '```sh', 'echo b; echo c', '```', '', '```text', 'b', '```'];
    expect(await runTutorial(copy, 'wrong', page(...wrong))).toEqual(['line 3: status 1 instead of 2:\n', 'line 7: the output is\nb\nc\n']);
  });

  it('rejects a block that is no file, no command and no output', () => {
    expect(() => page('Look:', '', '```yaml', 'a: 1', '```')).toThrow('p.md:3: this block is neither saved, nor run, nor an output');
  });

  it.each([
    ['a\n…\nd', 'a\nb\nc\nd\n', true],
    ['a\n…\nd', 'a\nd\n', true],
    ['a (took … ms)', 'a (took 3 ms)  \n', true],
    ['a', 'a\nb\n', false],
    ['a.b', 'acb\n', false],
  ])('for %j accepts the output %j: %s', (shown, output, is) => expect(isShown(shown, output)).toBe(is));
});
