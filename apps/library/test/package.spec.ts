import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { PACKAGE_NAME } from '../../../testing/package-name.ts';
import { thorough } from '../../../testing/thorough.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'assay-package-'));
const installed = join(folder, 'node_modules/@assay-dev/assay');
const { version, repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string; repository: unknown };
const released = join(folder, 'release');
const tarball = join(released, `assay-dev-assay-${version}.tgz`);

beforeAll(() => {
  const options = ['--draft', '--allow-missing', '--parts', 'tarball', '--out', released];
  execFileSync(process.execPath, ['scripts/release/main.ts', ...options], { cwd: ROOT, stdio: 'ignore' });
  writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  if (thorough)
    execFileSync('npm', ['install', '--offline', '--omit=peer', '--no-audit', '--no-fund', '--silent', tarball], { cwd: folder });
  else layPackage();
});

/** Lays the files of the package and the link to its program as npm does. */
function layPackage(): void {
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { bin: { assay: string } };
  mkdirSync(join(folder, 'node_modules/.bin'));
  symlinkSync(join(installed, bin.assay), join(folder, 'node_modules/.bin/assay'));
}
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Paths of the Node versions to test: the Node that runs this test, Node in two usual folders, and the paths in `ASSAY_NODES`. Paths in
 * `ASSAY_NODES` are separated by colons.
 */
const NODES = [process.execPath, '/usr/bin/node', '/usr/local/bin/node', ...(process.env['ASSAY_NODES'] ?? '').split(':')].filter(
  (path) => path !== '' && existsSync(path) && Number(versionOf(path).split('.')[0]) >= 20,
);

function versionOf(node: string): string {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1);
}

const crd = customDefinition({
  kind: 'Widget',
  schema: { type: 'object', properties: { size: { type: 'integer' } }, 'x-kubernetes-validations': [{ rule: 'self.size > 0' }] },
});
const PROGRAM = `
import { compileDefinition, validateObject, explain, judgeDefinition, versionMatrix, whatIf } from '@assay-dev/assay';
import { fixture, matchers } from '@assay-dev/assay/testing';
const crd = ${JSON.stringify(crd)};
const widget = fixture({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, size: 1 });
const compiled = compileDefinition(crd);
if (!compiled.ok) throw new Error(compiled.status.message);
const matrix = await versionMatrix([crd], [widget()], { minors: ['1.30', '1.37'] });
const explained = await explain([crd], [widget()]);
const changed = await whatIf(crd, crd, [widget()]);
console.log(JSON.stringify([
  validateObject(compiled.definition, widget()).outcome,
  validateObject(compiled.definition, widget({ size: 0 })).status.message,
  judgeDefinition('kind: [').accepted,
  compileDefinition({ ...crd, spec: { ...crd.spec, group: 'x{' } }).ok,
  explained.definitions[0].rules.length,
  matrix.objects[0].outcome,
  changed.effects.unaffected,
  matchers.toReject(crd, widget({ size: -1 }), 'failed rule').pass,
]));
`;
const ANSWER = [
  'accepted',
  'Widget.example.com "w" is invalid: <nil>: Invalid value: failed rule: self.size > 0',
  false,
  false,
  1,
  { '1.30': 'accepted', '1.37': 'accepted' },
  1,
  true,
];

describe('a release of the package', () => {
  it('consists of the tarball, and two files with the digest of the tarball', () => {
    const name = basename(tarball);
    expect(readdirSync(released).sort()).toEqual(['RELEASE.md', 'SHA256SUMS', name]);
    const digest = createHash('sha256').update(readFileSync(tarball)).digest('hex');
    expect(readFileSync(join(released, 'SHA256SUMS'), 'utf8')).toBe(`${digest}  ${name}\n`);
    expect(readFileSync(join(released, 'RELEASE.md'), 'utf8')).toMatch(new RegExp(`\\| \`${name}\` \\| .* \\| \\d+ \\| \`${digest}\` \\|`));
  });

  it('would be published on npm as a public package with provenance', () => {
    expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))).toMatchObject({
      name: PACKAGE_NAME,
      version,
      bin: { assay: 'cli/assay.cjs' },
      license: 'Apache-2.0',
      repository,
      engines: { node: '>=20' },
      publishConfig: { access: 'public', provenance: true },
    });
    const dry = spawnSync('npm', ['publish', '--dry-run', '--offline', tarball], { cwd: folder, encoding: 'utf8' });
    expect(dry.status, dry.stderr).toBe(0);
    expect(dry.stderr).toMatch(/with tag latest and public access \(dry-run\)/);
  });
});

describe('the package', () => {
  // Each limit is about 10 % above the current size, which `npm run bench` prints.
  it('is small, and has no dependencies', () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const bytesOf = (some: typeof files): number =>
      some.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    // Files that only `assay lsp` loads were added later, and have their own limit.
    const ofEditors = files.filter(({ name }) => name === 'language.js' || name.startsWith('lsp-run'));
    expect(ofEditors).toHaveLength(2);
    expect(bytesOf(ofEditors)).toBeLessThanOrEqual(440_000);
    // The files that only `assay explain --html` loads also have their own limit.
    const ofPages = files.filter(({ name }) => name.startsWith('explain-page'));
    expect(ofPages).toHaveLength(1);
    expect(bytesOf(ofPages)).toBeLessThanOrEqual(22_000);
    // `assay bench` and the reports of `assay matrix` load these files. They load the charts only with `-o html` and `--chart`.
    const ofStudies = files.filter(({ name }) => /^(page\.|page-frame|study-rules|bench-run|matrix-(page|study))/.test(name));
    expect(ofStudies).toHaveLength(6);
    expect(bytesOf(ofStudies)).toBeLessThanOrEqual(645_000);
    expect(bytesOf(files) - bytesOf(ofEditors) - bytesOf(ofPages) - bytesOf(ofStudies)).toBeLessThanOrEqual(2_480_000);
    expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies');
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@assay-dev']);
    expect(readdirSync(join(folder, 'node_modules/@assay-dev'))).toEqual(['assay']);
    expect(readFileSync(join(installed, 'THIRD-PARTY-NOTICES.txt'), 'utf8')).toMatch(/antlr4ng .*\(BSD[^]*zod .*\(MIT/);
  });

  it('has no problem that the tool publint reports', async () => {
    const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([]);
  });

  it('has types that resolve for every kind of import', async () => {
    const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
    const problems = result.types === false ? ['no types'] : result.problems;
    // The package has ES modules only. They need `require` of Node 22.12 or later, and a resolution that supports `exports`.
    const known = new Set(['CJSResolvesToESM', 'NoResolution']);
    expect(problems.filter((problem) => typeof problem === 'string' || !known.has(problem.kind))).toEqual([]);
  });

  it('has types that compile in a strict program without the types of Node', () => {
    writeFileSync(
      join(folder, 'typed.ts'),
      `import { compileDefinition, validateObject, type Verdict } from '@assay-dev/assay';
import { fixture } from '@assay-dev/assay/testing';
const compiled = compileDefinition('kind: x', { kubernetesVersion: '1.34', timeoutMs: 100 });
export const verdict: Verdict | string = compiled.ok ? validateObject(compiled.definition, fixture({ a: 1 })()) : compiled.status.message;
// @ts-expect-error no such minor
compileDefinition('kind: x', { kubernetesVersion: '2.0' });
// @ts-expect-error a refused definition cannot be used
validateObject(compiled.definition, {});
`,
    );
    const options = ['--noEmit', '--strict', '--types', '', '--target', 'es2022', '--lib', 'es2022,dom', '--module', 'nodenext'];
    const { stdout } = spawnSync(process.execPath, [join(ROOT, 'node_modules/ts7/bin/tsc'), ...options, 'typed.ts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });

  it('loads no module of Node when a program imports the library', () => {
    const library = ['index.js', 'testing.js', ...readdirSync(join(installed, 'lib/chunks')).map((name) => `chunks/${name}`)];
    for (const name of library)
      expect(readFileSync(join(installed, 'lib', name), 'utf8')).not.toMatch(/from\s*["'`]node:|["'`]node:\w+["'`]\)/);
    const withoutGlobals = `for (const name of ['Buffer', 'setImmediate', 'clearImmediate', 'require']) delete globalThis[name];\n`;
    writeFileSync(
      join(folder, 'page.mjs'),
      `${withoutGlobals}const { log } = console; globalThis.process = undefined;\n${PROGRAM.replace(/^import (.*) from '(.*)';$/gm, "const $1 = await import('$2');").replace('console.log', 'log')}`,
    );
    const { stdout, stderr } = spawnSync(process.execPath, ['page.mjs'], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(ANSWER);
  });
});

describe.each(NODES.map((node) => [versionOf(node), node] as const))('the package on Node %s', (_, node) => {
  it('has a working library', () => {
    writeFileSync(join(folder, 'program.mjs'), PROGRAM);
    const { stdout, stderr } = spawnSync(node, ['program.mjs'], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(ANSWER);
  });

  it('has a working command line', () => {
    const run = (argv: readonly string[]) =>
      spawnSync(node, [join(folder, 'node_modules/.bin/assay'), ...argv], { cwd: ROOT, encoding: 'utf8' });
    const evaluated = run(['evaluate', 'examples/gateway-api']);
    expect(evaluated.stderr).toBe('');
    expect(evaluated.stdout).toContain('Accepted: 1, Refused: 1, Not evaluated: 0, CEL cost: 563');
    expect(evaluated.status).toBe(1);
    // A normal test run tries the other commands only on the last Node, which is the older one on most machines.
    if (!thorough && node !== NODES.at(-1)) return;
    expect(run(['test', 'examples/rules'])).toMatchObject({ status: 0, stderr: '' });
    expect(run(['--version']).stdout).toBe(`${version}\n`);
    expect(run(['--help']).stdout).toContain('Usage: assay COMMAND');
    const load = run(['load', 'http://127.0.0.1:8080', 'examples/gateway-api']);
    expect(load).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('load is a part of the clone') as string });
  });
});
