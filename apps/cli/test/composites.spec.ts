import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutProgress } from './assay-process.ts';
import { runAssay } from '../../../testing/run-assay.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-composites-'));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

/** Returns a CompositeResourceDefinition with a claim. Its list `tags` has the keywords `tags`, and a rule that compares all pairs. */
const xrd = (tags: string): string => `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata:
  name: xpools.example.org
spec:
  group: example.org
  names: {kind: XPool, plural: xpools}
  claimNames: {kind: Pool, plural: pools}
  versions:
    - name: v1
      served: true
      referenceable: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                tags:
                  type: array
                  ${tags}
                  items: {type: string, maxLength: 10}
                  x-kubernetes-validations:
                    - rule: self.all(a, self.exists(b, b == a))
`;
const pool = (kind: string, spec: string): string => `---
apiVersion: example.org/v1
kind: ${kind}
metadata: {name: ${kind.toLowerCase()}, ${kind === 'Pool' ? 'namespace: a' : ''}}
spec: ${spec}
`;
const dear = write('dear.yaml', xrd(''));
const cheap = write('cheap.yaml', xrd('maxItems: 10'));
const objects = write(
  'objects.yaml',
  pool('XPool', '{tags: [a], resourceRefs: [{kind: A}]}') + pool('Pool', '{compositeDeletePolicy: Never}'),
);
const RULE_LINE = 25;
const NOTE =
  'Note: judged as made by Crossplane 2.4 of a CompositeResourceDefinition: xpools.example.org, pools.example.org; other releases can add other fields';

async function run(...argv: string[]): Promise<{ readonly status: unknown; readonly stdout: string; readonly stderr: string }> {
  const { status, stdout, stderr } = await runAssay(argv);
  return { status, stdout: stdout.replaceAll(`${folder}/`, ''), stderr: withoutProgress(stderr).replaceAll(`${folder}/`, '') };
}

describe('a CompositeResourceDefinition', () => {
  it.each(['evaluate', 'explain', 'matrix'])('is rejected by assay %s at the line of its rule that costs too much', async (command) => {
    const { status, stdout } = await run(command, dear, '-o', 'json');
    const definitions = (JSON.parse(stdout) as { definitions: { findings: { location: { line: number } }[] }[] }).definitions;
    expect(definitions).toHaveLength(2);
    for (const { findings } of definitions) expect(findings[0]?.location.line).toBe(RULE_LINE);
    expect(status).toBe(1);
  });

  it('has objects of two kinds, evaluated with the fields that Crossplane adds', async () => {
    const { status, stdout } = await run('evaluate', cheap, objects);
    expect(stdout).toContain('objects.yaml:5:34: error: XPool "xpool": spec.resourceRefs[0].apiVersion: Required value');
    expect(stdout).toContain('Pool "pool": spec.compositeDeletePolicy: Unsupported value: "Never"');
    expect(stdout).toContain(NOTE);
    expect(status).toBe(1);
  });

  it('can be given to bench, matrix and what-if', async () => {
    const study = await run('bench', cheap, '--budget', '1s', '--no-times');
    expect([study.status, study.stderr]).toEqual([0, '']);
    expect(study.stdout).toContain(NOTE);
    const change = await run('what-if', '--from', cheap, '--to', dear, objects);
    expect(change.status).toBe(1);
    expect(change.stdout).toContain('The change of xpools.example.org is refused');
    // The definition of the claim also changes, so there is a second refusal.
    expect(change.stdout).toMatch(/The change of (?!xpools)\S+ is refused/);
    const matrix = await run('matrix', cheap);
    expect(matrix.stdout).toContain(NOTE);
  });

  it('is accepted with the bounds that assay explain --fix writes', async () => {
    const file = write('mended.yaml', xrd(''));
    const { status, stderr } = await run('explain', '--fix', '--write', file);
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^assay: mended.yaml#1: accepted with .*tags: maxItems \d+\n$/)]);
    expect((await run('evaluate', file)).status).toBe(0);
  });

  it('is found by the kind of its claim in a folder of --crds', async () => {
    const claim = write('claim.json', JSON.stringify({ apiVersion: 'example.org/v1', kind: 'Pool', metadata: { name: 'a' }, spec: {} }));
    const crds = mkdtempSync(join(tmpdir(), 'assay-composites-'));
    writeFileSync(join(crds, 'xrd.yaml'), xrd('maxItems: 10'));
    const { status, stdout } = await run('evaluate', claim, '--crds', crds);
    expect(stdout).toMatch(/1 object and 1 definition in .* - Accepted: 1/);
    expect(status).toBe(0);
  });

  it('can be tested in a suite', async () => {
    const suites = mkdtempSync(join(tmpdir(), 'assay-composites-'));
    writeFileSync(join(suites, 'xrd.yaml'), xrd('maxItems: 10'));
    const initial = JSON.stringify({ apiVersion: 'example.org/v1', kind: 'Pool', metadata: { name: 'a' }, spec: { resourceRef: {} } });
    const tests = { onCreate: [{ name: 'a', initial, expectedError: 'spec.resourceRef.kind: Required value' }] };
    writeFileSync(join(suites, 'suite.yaml'), JSON.stringify({ name: 'Pools', crdName: 'pools.example.org', tests }));
    const { status, stdout, stderr } = await run('test', suites);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/1 (case )?passed|Passed: 1|1 passed/i);
  });

  it.each(['evaluate', 'explain', 'matrix'])(
    'is rejected by assay %s with a reason if Crossplane derives no definition from it',
    async (command) => {
      const broken = write('broken.yaml', xrd('').replace(/ {6}schema:[^]*/, ''));
      const { stdout } = await run(command, broken);
      expect(stdout).toContain(
        'Crossplane makes no definition of the CompositeResourceDefinition "xpools.example.org": spec.versions[0].schema: custom resource validation cannot be nil',
      );
    },
  );
});
