import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { marked } from 'marked';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const REPLICA_LIMITS = 'examples/policies/replica-limits';

/**
 * Fixtures, each with the paths at which it is placed in the copy of the project. Documents use these files without showing their content.
 */
const LAID: Readonly<Record<string, readonly string[]>> = {
  'crd.yaml': [
    'crd.yaml',
    'old.yaml',
    'release-1.0/crd.yaml',
    'crds/gadgets.yaml',
    'config/crd/gadgets.yaml',
    'config/crd/bases/gadgets.yaml',
    'suites/crd.yaml',
    'first-suite/crd.yaml',
    'new/crd.yaml',
  ],
  'new.yaml': ['new.yaml', 'release-1.1/crd.yaml'],
  'gadgets.yaml': ['objects/gadgets.yaml', 'config/samples/gadgets.yaml', 'old/gadgets.yaml', 'new/gadgets.yaml', 'dump.yaml'],
  'cases.jsonl': ['cases.jsonl'],
  'xrd.yaml': ['xrd.yaml'],
};

/**
 * Programs that query a cluster or render charts, each with the first argument that documents use. In the copy of the project, scripts
 * replace these programs. If a script gets the listed first argument, it prints the objects of the fixture gadgets.yaml.
 */
const STAND_INS: Readonly<Record<string, string>> = { kubectl: 'get', helm: 'template', kustomize: 'build' };

/**
 * Adds the files that documented commands need to a copy of the project. The `bin` folder of the copy then contains `assay` and scripts
 * that replace other programs. The copy becomes a git repository whose branches `main` and `origin/main` contain the files.
 */
export function layFixtures(folder: string): void {
  for (const [fixture, paths] of Object.entries(LAID)) for (const path of paths) lay(join(FIXTURES, fixture), join(folder, path));
  for (const path of ['policies', 'new-policies']) lay(join(folder, REPLICA_LIMITS, 'policies.yaml'), join(folder, path, 'policies.yaml'));
  lay(join(folder, REPLICA_LIMITS, 'objects.yaml'), join(folder, 'deployments/deployments.yaml'));
  const suite = suiteOfPage(join(folder, 'docs/how-to/suites.md'));
  for (const path of ['suites', 'first-suite']) writeFileSync(join(folder, path, 'suite.yaml'), suite);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  symlinkSync(join('..', 'assay'), join(folder, 'bin/assay'));
  for (const [name, argument] of Object.entries(STAND_INS))
    program(folder, name, `[ "$1" = ${argument} ] && exec cat '${folder}/dump.yaml'; exit 99`);
  commit(folder);
}

function lay(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

/** Returns the test suite that a page shows and that its reader saves beside a definition. */
function suiteOfPage(page: string): string {
  const block = marked.lexer(readFileSync(page, 'utf8')).find((token) => token.type === 'code' && token['lang'] === 'yaml');
  if (block?.type !== 'code') throw new Error(`${page} shows no suite`);
  return block['text'] as string;
}

function program(folder: string, name: string, script: string): void {
  const file = join(folder, 'bin', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

function commit(folder: string): void {
  const git = (...argv: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...argv], { cwd: folder });
  git('init', '--quiet', '--initial-branch=main');
  git('commit', '--quiet', '--allow-empty', '--message=first');
  git('add', 'crds', 'config', 'objects');
  git('commit', '--quiet', '--message=base');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
}
