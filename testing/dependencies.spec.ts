import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const ROOT = join(import.meta.dirname, '..');
const json = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const manifestOf = (folder: string): Manifest => json(join(folder, 'package.json')) as Manifest;

/**
 * For each package manifest, the source folders whose imported packages the manifest must list. A source folder belongs to the manifest
 * whose import map resolves its name (`#go`, …).
 */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'packages/engine': ['libs/numbers', 'libs/go', 'libs/kube', 'libs/cel', 'libs/crd', 'libs/policy'],
  'packages/load-lab': ['loadtests'],
  'packages/conformance': ['conformance'],
  '.': [
    'apps',
    'libs/documents',
    'libs/runner',
    'libs/jobs',
    'libs/service',
    'libs/editing',
    'libs/telemetry',
    'libs/http-server',
    'libs/cluster',
    'libs/report',
    'libs/benchmark',
    'testing',
    'docs/generate',
    'scripts',
  ],
};
/** Package that runs the tests of all packages. */
const TEST_RUNNER = 'vitest';
/** File with matchers for a test runner. It imports the test runner, which users of the matchers install themselves. */
const MATCHERS = 'apps/library/src/vitest.ts';

const isTest = (file: string): boolean => file.endsWith('.spec.ts') || /\/(test|testing)\//.test(file) || file.startsWith('testing/');

/** Returns the folders in a folder. A move of files in Git can leave folders without files, which are not returned. */
function foldersIn(parent: string): string[] {
  const holdsFiles = (folder: string): boolean =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }).some((entry) => !entry.isDirectory());
  return readdirSync(join(ROOT, parent))
    .map((name) => `${parent}/${name}`)
    .filter(holdsFiles);
}

function sourcesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|mjs)$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => join(folder, file));
}

/** Returns the names of the packages that a file imports. */
function packagesIn(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(ROOT, file), 'utf8'), true, true);
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((name) => /^[@a-z]/.test(name) && !isBuiltin(name))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

describe('packages with a package.json', () => {
  it('are all in the list of this test', () => {
    const folders = foldersIn('packages');
    expect(Object.keys(PACKAGES).toSorted()).toEqual(['.', ...folders].toSorted());
    expect(foldersIn('libs').filter((library) => !Object.values(PACKAGES).flat().includes(library))).toEqual([]);
  });

  it.each(Object.entries(PACKAGES))('%s names all packages that its sources import', (manifest, folders) => {
    const { dependencies = {}, devDependencies = {} } = manifestOf(manifest);
    // A manifest without dependencies is for development only, and no package in it is installed for production.
    const development = Object.keys(dependencies).length === 0;
    const unlisted = folders.flatMap(sourcesOf).flatMap((file) => {
      // The bundles contain the packages of the page and of the command line's charts, so these are not installed in production.
      const tool = development || isTest(file) || /^(docs|scripts|apps\/page|libs\/report\/src\/charts)\//.test(file);
      const listed = { ...dependencies, ...(tool && devDependencies) };
      return packagesIn(file)
        .filter((name) => !(name in listed) && !((isTest(file) || file === MATCHERS) && name === TEST_RUNNER))
        .map((name) => `${file}: ${name}`);
    });
    expect(unlisted).toEqual([]);
  });

  it('install only two other packages for users of the engine', () => {
    expect(installedFor(Object.keys(manifestOf('packages/engine').dependencies ?? {}))).toEqual(['antlr4ng', 're2js']);
  });

  it('install no packages of the load lab for the service, except four that both use', () => {
    const installed = installedFor(Object.keys(manifestOf('.').dependencies ?? {}));
    expect(installed).toContain('@nestjs/core');
    const lab = Object.keys(manifestOf('packages/load-lab').devDependencies ?? {});
    expect(lab.filter((name) => installed.includes(name))).toEqual(['ajv', 'fastify', 'yaml', 'zod']);
  });
});

/** Returns the names of all packages that npm installs for the given packages, according to the lock file. */
function installedFor(names: readonly string[]): string[] {
  const { packages } = json('package-lock.json') as { readonly packages: Readonly<Record<string, Manifest>> };
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const [path, { dependencies = {} }] of Object.entries(packages)) {
      if (path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`)) Object.keys(dependencies).forEach(visit);
    }
  };
  names.forEach(visit);
  return [...found].toSorted();
}
