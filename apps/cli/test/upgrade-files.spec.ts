import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { CRD_DIFFERENCES } from '#crd';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { runAssay } from '../../../testing/run-assay.ts';

const scratch = mkdtempSync(join(tmpdir(), 'assay-upgrade-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const spec = { type: 'object', properties: { count: { type: 'integer', format: 'int32' }, mode: { type: 'string', minLength: 1 } } };
const definition = customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } });
const object = (name: string, content: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'shop' },
  spec: content,
});
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } };

/** Writes a dump of a cluster, and returns the name of its file. */
function dump(name: string, ...objects: readonly object[]): string {
  const file = join(scratch, name);
  writeFileSync(file, [definition, ...objects].map((document) => stringify(document)).join('---\n'));
  return file;
}

const because = ({ sentence, upstream }: { readonly sentence: string; readonly upstream: string }): string => `${sentence} (${upstream})`;

describe('assay upgrade-check of files', () => {
  it('names objects with different verdicts in the next version, rejected writes, and the cause', async () => {
    const file = dump('large.yaml', object('good', { count: 1 }), object('large', { count: 2 ** 31 }), pod);
    const { status, stdout, stderr } = await runAssay(['upgrade-check', file, '-k', '1.35', '--to-version', '1.36']);
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout).toContain('judged as 1.35 and as 1.36');
    expect(stdout).toContain(`why 1.36 differs from 1.35: ${because(CRD_DIFFERENCES.numbersAreTyped.seen)}`);
    expect(stdout).toContain('Next writes of stored objects:');
    expect(stdout).toContain('of 2 objects 1; 1 objects without a definition were skipped');
  });

  it('names the cause if only messages differ', async () => {
    const file = dump('empty.yaml', object('empty', { mode: '' }));
    const { stdout } = await runAssay(['upgrade-check', file, '-k', '1.37', '--to-version', '1.38', '-o', 'json']);
    const { objects, counts } = JSON.parse(stdout) as { objects: { changing: object[] }[]; counts: object };
    expect(objects[0]?.changing).toMatchObject([
      { causes: [{ from: '1.37', to: '1.38', about: 'texts', causes: [{ name: 'shortagesAreTyped' }] }] },
    ]);
    expect(counts).toEqual({ definitions: 1, policies: 0, objects: 1, notJudged: 0, skipped: 0 });
  });

  it('does not read a cluster', async () => {
    const both = await runAssay(['upgrade-check', dump('both.yaml'), '--cluster', '--to-version', '1.36']);
    expect([both.status, both.stderr]).toEqual([2, expect.stringContaining('with --cluster no files are judged')]);
  });

  it('is recommended by the error of a what-if between two Kubernetes versions', async () => {
    const { status, stderr } = await runAssay(['what-if', '--from', 'a', '--to', 'b', '--to-version', '1.38', 'c']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('use assay upgrade-check --to-version 1.38 PATH')]);
  });
});
