import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runAssay } from '../../../testing/run-assay.ts';

const definition = (replicas: string, rule: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  names: {kind: Gadget, plural: gadgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations: [{rule: "${rule}"}]
            properties:
              replicas: {type: integer, ${replicas}}
`;
const gadget = (name: string, replicas: number): string =>
  `apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: ${name}}\nspec: {replicas: ${replicas}}\n`;

/** Creates a git repository with one commit of a definition and two objects. */
function repository(): { readonly folder: string; readonly commit: (text: string) => void } {
  const folder = mkdtempSync(join(tmpdir(), 'assay-diff-'));
  const git = (...argv: string[]): void =>
    void execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...argv]);
  const commit = (text: string): void => {
    writeFileSync(join(folder, 'crd.yaml'), text);
    git('add', '-A');
    git('commit', '-qm', 'state');
  };
  git('init', '-q');
  writeFileSync(join(folder, 'objects.yaml'), `${gadget('small', 1)}---\n${gadget('large', 7)}`);
  commit(definition('minimum: 1', 'self.replicas > 0'));
  return { folder, commit };
}

async function diff(folder: string, ...argv: readonly string[]): Promise<{ status: unknown; stdout: string }> {
  return runAssay(['diff', ...argv, folder]);
}

describe('assay diff', () => {
  it('reports the changes of a definition, their cost, and the objects that they break', async () => {
    const { folder } = repository();
    writeFileSync(join(folder, 'crd.yaml'), definition('minimum: 1, maximum: 5', 'self.replicas > 0 && self.replicas != 3'));
    const { status, stdout } = await diff(folder, 'HEAD');
    // The status is 0, because an existing value above the new maximum stays valid as long as it does not change.
    expect(status).toBe(0);
    expect(stdout).toContain('gadgets.example.com: changed\n');
    expect(stdout).toContain('  breaking v1 spec.replicas: maximum tightened (none → 5)\n');
    expect(stdout).toContain('  breaking v1 spec: rule added (none → self.replicas > 0 && self.replicas != 3)\n');
    expect(stdout).toMatch(/v1 properties\[spec\].*: changed, \d+ → \d+ of 10,000,000/);
    expect(stdout).toContain('2 objects of the older state: 1 unaffected, ');
    expect(stdout).toContain('HEAD:objects.yaml#2 "large" saved by ratcheting: only a new object is refused: ');
  });

  it('follows links to files of the repository', async () => {
    const { folder, commit } = repository();
    mkdirSync(join(folder, 'links'));
    symlinkSync('../crd.yaml', join(folder, 'links/linked.yaml'));
    symlinkSync('..', join(folder, 'links/folder.yaml'));
    commit(definition('minimum: 1', 'self.replicas > 1'));
    const links = ['diff', 'HEAD', join(folder, 'links/linked.yaml')];
    expect(await runAssay(links)).toMatchObject({ status: 0, stdout: 'No definition changed.\n' });
    expect((await runAssay(['diff', 'HEAD', join(folder, 'links')])).stdout).toContain('No definition changed.\n');
    writeFileSync(join(folder, 'crd.yaml'), definition('minimum: 2', 'self.replicas > 1'));
    expect((await runAssay(links)).stdout).toContain('gadgets.example.com: changed\n');
    symlinkSync('/etc/hostname', join(folder, 'links/outside.yaml'));
    commit(definition('minimum: 1', 'self.replicas > 2'));
    const outside = await runAssay(['diff', 'HEAD', join(folder, 'links')]);
    expect(outside.status).toBe(2);
    expect(outside.stderr).toContain('the link leads to no file of the repository');
  });

  it('reports the objects of a removed definition as broken', async () => {
    const { folder } = repository();
    rmSync(join(folder, 'crd.yaml'));
    const { status, stdout } = await diff(folder, 'HEAD');
    expect(stdout).toContain('gadgets.example.com: removed\n  2 objects of the older state: a server removes them with the definition\n');
    expect(stdout).toContain('objects: a server removes 2 objects of the older state with the definition\n');
    expect(status).toBe(1);
    expect((await diff(folder, 'HEAD', '--fail-on', 'refused')).status).toBe(0);
  });

  it('treats a rule with other white space and comments as unchanged, and a rule with another string as changed', async () => {
    const { folder, commit } = repository();
    commit(definition('minimum: 1', "self.replicas != size('a b')"));
    writeFileSync(join(folder, 'crd.yaml'), definition('minimum: 1', "self.replicas   !=size( 'a b' ) // why"));
    expect(await diff(folder, 'HEAD', '--fail-on', 'breaking')).toMatchObject({ status: 0, stdout: 'No definition changed.\n' });
    writeFileSync(join(folder, 'crd.yaml'), definition('minimum: 1', "self.replicas != size('ab')"));
    expect((await diff(folder, 'HEAD', '--fail-on', 'breaking')).status).toBe(1);
  });

  it('shows no total cost for a Kubernetes version on which a rule does not compile', async () => {
    const { folder } = repository();
    writeFileSync(join(folder, 'crd.yaml'), definition('minimum: 1', "self.replicas > 0 && isIP('::1')"));
    const { stdout } = await diff(folder, 'HEAD', '-o', 'json');
    const [changed]: readonly {
      readonly totals: readonly { readonly costs: Readonly<Record<string, { readonly before?: string; readonly after?: string }>> }[];
    }[] = JSON.parse(stdout);
    expect(changed?.totals[0]?.costs['1.30']).toEqual({ before: changed?.totals[0]?.costs['1.37']?.before });
    expect(Number(changed?.totals[0]?.costs['1.37']?.after)).toBeGreaterThan(0);
    expect((await diff(folder, 'HEAD')).stdout).not.toMatch(/v1: 3 → (0|none)/);
  });

  it('reports a refusal only if a released or chosen version refuses, and if oldest-minor does not exclude the version', async () => {
    const { folder } = repository();
    writeFileSync(join(folder, 'crd.yaml'), definition('minimum: 1', "self.replicas > 0 && isIP('::1')"));
    const status = async (gates: string): Promise<unknown> => (await diff(folder, 'HEAD', '--fail-on', gates)).status;
    expect([await status('refused'), await status('refused,oldest-minor>1.31'), await status('refused,oldest-minor>1.30')]).toEqual([
      1, 0, 1,
    ]);
  });

  it('compares two revisions, and formats a comment for a pull request', async () => {
    const { folder, commit } = repository();
    commit(definition('minimum: 0', 'self.replicas >= 0'));
    const { status, stdout } = await diff(folder, 'HEAD~1..HEAD', '-o', 'markdown');
    expect(status).toBe(0);
    expect(stdout).toContain('### `gadgets.example.com` changed\n');
    expect(stdout).toContain('| minimum loosened \\(1 → 0\\) | v1 spec.replicas | no |');
    expect((await diff(folder, 'HEAD~1..HEAD', '--fail-on', 'breaking')).status).toBe(1);
  });

  it('fails with --fail-on objects if the definition itself is refused, too', async () => {
    const { folder } = repository();
    writeFileSync(join(folder, 'crd.yaml'), definition('minimum: 1', 'self.replicsa > 0'));
    expect((await diff(folder, 'HEAD', '--fail-on', 'objects')).status).toBe(1);
  });

  it('names files from the root of the repository, and lists broken objects in Markdown', async () => {
    const { folder, commit } = repository();
    mkdirSync(join(folder, 'samples'));
    writeFileSync(join(folder, 'samples/w|x.yaml'), gadget('huge', 9));
    commit(definition('minimum: 1', 'self.replicas > 0'));
    writeFileSync(join(folder, 'crd.yaml'), definition('minimum: 1', 'self.replicas < 9 && oldSelf.replicas > 0'));
    const assay = await runAssay(['diff', 'HEAD', join(folder, 'crd.yaml'), join(folder, 'samples'), '-o', 'markdown']);
    expect(assay.status).toBe(1);
    expect(assay.stdout).toMatch(/\n\| Object \| Where \| Effect \| Message \|\n\| --- .*\n\| huge \| HEAD:samples\/w\\\|x\.yaml\\#1 \| /);
  });

  it('names a file that cannot be read, and exits with status 2', async () => {
    const { folder } = repository();
    writeFileSync(join(folder, 'crd.yaml'), 'apiVersion: apiextensions.k8s.io/v1\nmetadata: {name: [\n');
    const { status, stderr } = await runAssay(['diff', 'HEAD', folder, '--fail-on', 'refused,objects']);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/crd\.yaml#1: yaml: line \d+: /)]);
  });

  it('explains why a gate fails', async () => {
    const { folder } = repository();
    writeFileSync(join(folder, 'crd.yaml'), definition('minimum: 1', 'self.replicsa > 0'));
    expect((await diff(folder, 'HEAD', '--fail-on', 'refused')).stdout).toMatch(
      /\n {2}Failed:\n {4}refused: [^\n]*refused from now on by 1\.30/,
    );
    writeFileSync(join(folder, 'crd.yaml'), definition('minimum: 1, maximum: 5', 'self.replicas > 0'));
    expect((await diff(folder, 'HEAD', '--fail-on', 'breaking')).stdout).toContain('\n  Failed:\n    breaking: 1 breaking change\n');
  });

  it('reports that no definition changed, and rejects an unknown revision', async () => {
    const { folder } = repository();
    expect(await diff(folder, 'HEAD')).toMatchObject({ status: 0, stdout: 'No definition changed.\n' });
    expect((await diff(folder, 'nowhere')).status).toBe(2);
  });
});
