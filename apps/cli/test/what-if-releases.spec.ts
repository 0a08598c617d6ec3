import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { runAssay } from '../../../testing/run-assay.ts';
import type { AssayRun } from '../../../testing/run-assay.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-releases-'));
const write = (name: string, document: object | string): void => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), typeof document === 'string' ? document : JSON.stringify(document));
};
const definition = (kind: string, most: number): object =>
  customDefinition({
    kind,
    schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'string' }, size: { type: 'integer', maximum: most } } } },
    },
  });
const object = (kind: string, name: string, size: number): object => ({
  apiVersion: kind === 'Secret' ? 'v1' : 'example.com/v1',
  kind,
  metadata: { name },
  spec: { size },
});
/** Returns the record of an API server about the creation of an object. */
const recorded = (written: object): object => ({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Event',
  verb: 'create',
  stage: 'ResponseComplete',
  requestObject: written,
});
const policy = (most: number): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: small}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [example.com], apiVersions: ['*'], operations: [CREATE], resources: ['*']}]}
  validations: [{expression: object.spec.size < ${most}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: small}
spec: {policyName: small, validationActions: [Deny]}
`;

write('old/a.json', definition('Widget', 10));
write('old/deep/b.json', definition('Gadget', 10));
write('old/c.json', definition('Gone', 10));
write('old/same.json', definition('Same', 10));
write('old/deployment.json', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'controller' } });
write(
  'new/all.yaml',
  [definition('Gadget', 2), definition('Widget', 20), definition('Same', 10)].map((one) => JSON.stringify(one)).join('\n---\n'),
);
write('new/added.json', definition('Added', 5));
write('with-policies/old/all.json', definition('Widget', 10));
write('with-policies/old/policy.yaml', policy(10));
write('with-policies/new/all.json', definition('Widget', 2));
write('with-policies/new/policy.yaml', policy(3));
write('stored/all.json', {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    object('Widget', 'w', 3),
    object('Gadget', 'g', 3),
    object('Gone', 'lost', 3),
    object('Secret', 's', 3),
    object('Same', 'same', 3),
  ],
});
write('stored/recorded.json', recorded(object('Gadget', 'seen', 1)));
write('widgets/w.json', object('Widget', 'w', 3));
write('broken/crd.yaml', 'kind: CustomResourceDefinition\nspec: [\n');

const run = (...argv: string[]): Promise<AssayRun> => runAssay(argv, { cwd: folder });

describe('a what-if between two releases of a project', () => {
  it('reports each definition', async () => {
    const { status, stdout } = await run('what-if', '--from', 'old', '--to', 'new', 'stored', '-o', 'json');
    const outcome = JSON.parse(stdout) as { changes: { definition: { name: string }; impact: { objects: number } }[] };
    expect(outcome).toMatchObject({
      unchanged: ['sames.example.com'],
      added: [{ name: 'addeds.example.com', accepted: true }],
      removed: [{ name: 'gones.example.com', objects: 1 }],
      skipped: 1,
    });
    expect(outcome.changes.map(({ definition: { name }, impact }) => [name, impact])).toMatchObject([
      ['gadgets.example.com', { objects: 2, effects: { savedByRatcheting: 1, unaffected: 1 } }],
      ['widgets.example.com', { objects: 1, effects: { unaffected: 1 } }],
    ]);
    // The status is 1, because a server that removes a definition also removes its objects.
    expect(status).toBe(1);
  });

  it('prints a text report', async () => {
    const { stdout } = await run('what-if', '--from', 'old', '--to', 'new', 'stored');
    for (const words of [
      'gones.example.com is gone, and with it 1 object',
      'addeds.example.com is new, and accepted',
      '1 definition unchanged',
      '1 object of other kinds skipped',
    ])
      expect(stdout).toContain(`${words}\n`);
  });

  it('reports the effects of changed definitions and changed policies', async () => {
    const { status, stdout } = await run('what-if', '--from', 'with-policies/old', '--to', 'with-policies/new', 'widgets', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      changes: [{ impact: { effects: { savedByRatcheting: 1 } } }],
      policies: { effects: { denied: 1 } },
    });
    expect(status).toBe(1);
  });

  it('reports each changed or added definition in the form junit', async () => {
    const { stdout } = await run('what-if', '--from', 'old', '--to', 'new', 'stored', '-o', 'junit');
    for (const name of ['the change of gadgets.example.com', 'the change of widgets.example.com', 'the change of addeds.example.com'])
      expect(stdout).toContain(`name="${name}"`);
  });

  it.each([
    ['broken/crd.yaml', 'new', /broken\/crd\.yaml#1: .*; broken\/crd\.yaml: holds no CustomResourceDefinition and no policy/],
    ['old', 'widgets', /widgets: holds no CustomResourceDefinition and no policy/],
  ])('from %s to %s reports unreadable files', async (from, to, problem) => {
    const { status, stderr } = await run('what-if', '--from', from, '--to', to, 'stored');
    expect(stderr).toMatch(problem);
    expect(status).toBe(2);
  });
});
