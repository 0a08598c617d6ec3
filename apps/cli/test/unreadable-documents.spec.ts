import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runAssay } from '../../../testing/run-assay.ts';

const definition = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Gadget', plural: 'gadgets' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              a: { type: 'array', maxItems: 9, items: { type: 'string' }, 'x-kubernetes-validations': [{ rule: 'size(self) > 0' }] },
            },
          },
        },
      },
    ],
  },
});

/** Returns the folder of a repository whose files are committed, and in which a document then becomes unreadable. */
function repository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-unreadable-'));
  const git = (...argv: readonly string[]): void =>
    void execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...argv]);
  writeFileSync(join(folder, 'crd.yaml'), definition);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'readable');
  writeFileSync(join(folder, 'crd.yaml'), `${definition}\n---\nmetadata: {name: [\n`);
  git('commit', '-qam', 'unreadable');
  return folder;
}
const folder = repository();
/** Path of a definition that can be read, and an object of its kind. */
const readable = join(mkdtempSync(join(tmpdir(), 'assay-readable-')), 'crd.yaml');
writeFileSync(readable, `${definition}\n---\n{apiVersion: example.com/v1, kind: Gadget, metadata: {name: a}, a: [x]}\n`);

it.each([
  ['evaluate', 1, ['evaluate', folder]],
  ['explain', 1, ['explain', folder]],
  ['matrix', 1, ['matrix', folder]],
  ['diff', 2, ['diff', 'HEAD~1', folder]],
  ['bench', 2, ['bench', folder, '--no-times', '--budget', '1s']],
  ['ceiling', 2, ['ceiling', folder, '--field', 'a.maxItems']],
  ['history', 2, ['history', folder]],
  ['upgrade-check', 2, ['upgrade-check', folder, '--to-version', '1.37']],
  ['what-if', 1, ['what-if', '--from', readable, '--to', readable, folder, readable]],
] as const)('assay %s names a document that it cannot read beside a definition, and fails', async (_, status, argv) => {
  const run = await runAssay(argv);
  expect([run.status, `${run.stdout}${run.stderr}`]).toEqual([status, expect.stringMatching(/crd\.yaml.*: yaml: |yaml: line \d+: /)]);
});
