import { mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ProjectCopy } from './project-copy.ts';

const RULE = 'examples/ratcheting/crd.yaml';
const STAMP = 'dist/.built';
const LAST_PULL = '.git/logs/HEAD';
const [EARLIER, LATER] = [new Date('2026-01-01'), new Date('2026-01-02')];

let copy: ProjectCopy;
const inCopy = (path: string): string => join(copy.folder, path);

beforeAll(() => {
  copy = new ProjectCopy();
  for (const folder of ['elsewhere', '.git/logs', 'bin']) mkdirSync(inCopy(folder), { recursive: true });
  writeFileSync(inCopy('elsewhere/crd.yaml'), readFileSync(inCopy(RULE)));
  symlinkSync('../assay', inCopy('bin/assay'));
  // A real build takes a minute. This program only reports its call, and writes the stamp of a build.
  const bootstrap = "import { writeFileSync } from 'node:fs';\nconsole.error('bootstrap', ...process.argv.slice(2));\n";
  writeFileSync(inCopy('scripts/bootstrap.mjs'), `${bootstrap}writeFileSync(${JSON.stringify(inCopy(STAMP))}, '');\n`);
});
afterAll(() => copy?.remove());

describe('the command ./assay in a clone', () => {
  beforeEach(() => {
    writeFileSync(inCopy(STAMP), '');
    writeFileSync(inCopy(LAST_PULL), '');
    utimesSync(inCopy('package-lock.json'), EARLIER, EARLIER);
    utimesSync(inCopy(LAST_PULL), EARLIER, EARLIER);
    utimesSync(inCopy(STAMP), LATER, LATER);
  });

  it.each([
    ['by its path', 'elsewhere', '../assay', 'crd.yaml'],
    ['by its name on PATH, through a symbolic link', 'elsewhere', 'assay', 'crd.yaml'],
    ['by a shell', '.', 'sh assay', 'elsewhere/crd.yaml'],
  ])("evaluates files relative to the caller's folder, called %s", async (_, folder, command, file) => {
    const ended = await copy.run(`${command} evaluate ${file}`, folder);
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    expect(ended.stdout).toContain(`${file}:2:1: CustomResourceDefinition "ratchets.gallery.assay.example.com" accepted\n`);
  });

  it('exits with the status of the command line', async () => {
    expect(await copy.run('../assay evaluate absent.yaml', 'elsewhere')).toMatchObject({ status: 2, stdout: '' });
  });

  it('uses the Node that the build installs', async () => {
    const { stdout } = await copy.run(`sed -n 's/^exec "$node"/echo "$node"/; p' assay > echo; sh ./echo`);
    expect(stdout).toContain('./node_modules/.bin/node');
  });

  it.each([
    ['there is no build', () => rmSync(inCopy(STAMP))],
    ['the lock file is newer than the build', () => utimesSync(inCopy('package-lock.json'), new Date(), new Date())],
    ['the last pull is newer than the build', () => utimesSync(inCopy(LAST_PULL), new Date(), new Date())],
  ])('builds before it runs, and reports that on standard error, if %s', async (_, change) => {
    change();
    const first = await copy.run('../assay --version', 'elsewhere');
    expect(first).toMatchObject({ status: 0, stderr: 'bootstrap --build\n' });
    expect(first.stdout).toMatch(/^\d+\.\d+\.\d+/);
    expect(await copy.run('../assay --version', 'elsewhere')).toEqual({ ...first, stderr: '' });
  });
});
