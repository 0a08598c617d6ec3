import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { runAssay } from '../../../testing/run-assay.ts';

const scratch = mkdtempSync(join(tmpdir(), 'assay-bounds-'));

/** Writes a file with a definition whose rule compares all elements of a list, and with objects that have lists of the given lengths. */
function written(name: string, list: object, lengths: readonly number[] = []): string {
  const rules = [{ rule: 'self.list.all(a, self.list.all(b, a.size() >= b.size() || b.contains(a)))' }];
  const spec = {
    type: 'object',
    properties: { list: { type: 'array', items: { type: 'string' }, ...list } },
    'x-kubernetes-validations': rules,
  };
  const definition = customDefinition({ kind: 'Widget', scope: 'Cluster', schema: { type: 'object', properties: { spec } } });
  const objects = lengths.map((length) => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: `long-${length}` },
    spec: { list: Array.from({ length }, () => 'x') },
  }));
  const file = join(scratch, name);
  writeFileSync(file, [definition, ...objects].map((document) => stringify(document)).join('---\n'));
  return file;
}

it('explain --fix --allow-tightening lowers bounds, and names the given objects that violate the lower bounds', async () => {
  const file = written('tight.yaml', { maxItems: 100_000, items: { type: 'string', maxLength: 200 } }, [3, 200, 300]);
  const refused = await runAssay(['explain', '--fix', file]);
  expect([refused.status, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(/not fixed: no missing bound helps v1 properties\[spec\]\.x-kubernetes-validations\[0\]\n/);
  expect(refused.stderr).toMatch(
    /--allow-tightening would set spec\.list: maxItems 8 \(was 100000\); a lowered bound breaks stored objects/,
  );
  const lowered = await runAssay(['explain', '--fix', '--allow-tightening', file]);
  expect(lowered.status).toBe(0);
  expect(lowered.stderr).toContain('accepted with spec.list: maxItems 8 (was 100000)');
  expect(lowered.stderr).toContain('warning: a lowered bound breaks stored objects that exceed it');
  expect(lowered.stderr).toMatch(/warning: this breaks 2 given objects: .* "long-200" \(.*must have at most 8 items.*\), .* "long-300" \(/);
  expect(lowered.stdout).toMatch(/\n- +maxItems: 100000\n\+ +maxItems: 8\n/);
});

it('explain --fix writes usual values for missing bounds, and with --exact the largest sufficient values', async () => {
  const file = written('missing.yaml', { items: { type: 'string', maxLength: 200 } });
  const common = await runAssay(['explain', '--fix', file]);
  expect([common.status, common.stderr]).toEqual([0, expect.stringMatching(/accepted with spec\.list: maxItems 8\n$/) as string]);
  const exact = await runAssay(['explain', '--fix', '--exact', '--write', file]);
  const most = Number(/accepted with spec\.list: maxItems (\d+)\n$/.exec(exact.stderr)?.[1]);
  expect(most).toBeGreaterThan(8);
  expect(readFileSync(file, 'utf8')).toContain(`maxItems: ${most}\n`);
  const ceiling = await runAssay(['ceiling', file, '--field', 'spec.list.maxItems', '--minors', '1.37', '-o', 'json']);
  expect(JSON.parse(ceiling.stdout)).toMatchObject({
    definitions: [{ ceilings: [{ version: 'v1', minor: '1.37', keyword: 'maxItems', value: most, kind: 'limited', fitsNow: true }] }],
  });
  // A server accepts larger bounds than `most`, but then stops evaluations of the rule at the limit of one evaluation.
  const highest = Number(/"highest": (\d+)/.exec(ceiling.stdout)?.[1]);
  expect(highest).toBeGreaterThan(most);
  const wrong = await runAssay(['explain', '--exact', file]);
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('--exact needs --fix') as string]);
});

it('explain --fix --write keeps the line ends of Windows', async () => {
  const file = written('windows.yaml', { items: { type: 'string', maxLength: 200 } });
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n'));
  expect((await runAssay(['explain', '--fix', '--write', file])).status).toBe(0);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('maxItems: 8\r\n');
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
});

it('ceiling shows how far a bound may rise on each Kubernetes version, and marks a bound that is too large now', async () => {
  const file = written('ceiling.yaml', { maxItems: 10, items: { type: 'string', maxLength: 200 } });
  const { status, stdout } = await runAssay(['ceiling', file, '--field', 'spec.list[].maxLength']);
  expect([status, stdout.replace(/^.*#1/, 'FILE#1')]).toEqual([
    0,
    `FILE#1: spec.list[*]: maxLength (now 200)
  VERSION  KUBERNETES  MAY RISE TO  LIMITED BY
  v1       1.30–1.37   790          v1 properties[spec].x-kubernetes-validations[0]
`,
  ]);
  const now = await runAssay([
    'ceiling',
    written('now.yaml', { maxItems: 50_000, items: { type: 'string', maxLength: 200 } }),
    '--field',
    'spec.list',
  ]);
  expect([now.status, now.stdout]).toEqual([1, expect.stringContaining('(too large now)') as string]);
});

it.each([
  ['spec.nothing', 'no definition has such a list, map or text; elements are written [*]'],
  ['spec.list.maxLength', 'spec.list has maxItems'],
])('ceiling reports the error in the field %s', async (field, problem) => {
  const { status, stderr } = await runAssay(['ceiling', written('wrong.yaml', {}), '--field', field]);
  expect([status, stderr]).toEqual([2, expect.stringContaining(problem) as string]);
});
