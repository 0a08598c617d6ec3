import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkOptions } from '#documents';
import { USUAL_CHOICE } from '#kube';
import { EngineThreads } from '#runner';
import type { UnwantedAdvice } from '../src/evaluation/place-findings.ts';
import { explainDocuments } from '../src/commands/explain/explain-documents.ts';
import type { PlacedExplanation } from '../src/commands/explain/explain-documents.ts';
import { mendDefinition } from '../src/commands/explain/mend-definitions.ts';
import type { Mending } from '../src/commands/explain/mend-definitions.ts';
import { documentsOf } from '../src/documents/read-documents.ts';
import { explanationPage } from '../src/commands/explain/report/page.ts';
import { explanationText } from '../src/commands/explain/report/text.ts';
import { runAssay } from '../../../testing/run-assay.ts';

const host = new EngineThreads();
beforeAll(() => host.start());
afterAll(() => host.stop());

const documents = (list: string, message: string): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {plural: widgets, kind: Widget}
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
            properties:
              list: ${list}
            x-kubernetes-validations:
            - rule: self.list.all(a, a == 'x' || self.list.exists(b, b == a + 'y'))
              ${message}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: one}
spec: {list: [xy, x]}
---
apiVersion: example.com/v1
kind: Gadget
metadata: {name: other}
`;

const VERBOSE = { files: new Map(), servers: '1.37', verbose: true };

async function explained(list: string, message = ''): Promise<PlacedExplanation> {
  const found = await documentsOf([{ name: 'w.yaml', bytes: Buffer.from(documents(list, message)) }], host);
  const options = checkOptions({});
  if (!options.ok) throw new Error(options.status.message);
  return explainDocuments(found, options.value, host);
}

it('assay explain shows a rule as a tree with estimates beside measurements, and marks expensive parts', async () => {
  const text = explanationText(await explained('{type: array, maxItems: 20, items: {type: string, maxLength: 10}}'), VERBOSE);
  expect(text.split('\n')).toEqual([
    'w.yaml:2:1: CustomResourceDefinition "widgets.example.com" accepted',
    '  all rules of v1 together: 6,163 of 100,000,000 (0.0062 %)',
    '  measured 1 object: the most expensive (w.yaml#1) cost 29 units, which leaves 9,999,971 of its budget',
    '',
    '  #  OF LIMIT  ESTIMATE  MEASURED  LINE   GROWS WITH               RULE',
    "  1     0.1 %     6,163        29  22:21  spec.list (maxItems 20)  self.list.all(a, a == 'x' || self.list.exists(b, b == a + 'y'))",
    '',
    'w.yaml:22:21: note: advice [missing-has]: spec.list may be absent: where the result hangs on it, the rule then ends with "no such key: list", and the server refuses the object, whatever the rule\'s own message. Test it with has() before it is read, require it, or give it a default.',
    '',
    '  v1 properties[spec].x-kubernetes-validations[0] (w.yaml:22:21)',
    '    estimate 6,163 × cardinality 1 = 6,163 of 10,000,000 (0.0616 %; of all together 0.0062 %)',
    '      spec.list: maxItems 20',
    '      spec.list[*]: maxLength 10',
    '    measured 1 evaluation in 1 object: 29 units; maximum 29, 0.5 % of the estimate, headroom 999,971 (w.yaml#1 spec)',
    '    estimate  times  actual  times',
    "       6,163     ×1      29     ×1  self.list.all(a, a == 'x' || self.list.exists(b, b == a + 'y'))  ◄ 21 % of the actual cost",
    '           2     ×1       2     ×1    self.list',
    "       6,100    ×20      21     ×1    a == 'x' || self.list.exists(b, b == a + 'y')",
    "          40    ×20       2     ×1      a == 'x'",
    '          20    ×20       1     ×1        a',
    "       6,060    ×20      19     ×1      self.list.exists(b, b == a + 'y')  ◄ 26 % of the estimate, 31 % of the actual cost",
    '          40    ×20       2     ×1        self.list',
    "       4,400   ×400       8     ×2        b == a + 'y'",
    '         400   ×400       2     ×2          b',
    "       2,400   ×400       4     ×2          a + 'y'  ◄ 32 % of the estimate",
    '         400   ×400       2     ×2            a',
    '',
    `w.yaml:28:1: error: object "one": spec: Invalid value: failed rule: self.list.all(a, a == 'x' || self.list.exists(b, b == a + 'y'))`,
    'w.yaml:30:1: object not evaluated',
    '    the object cannot be read, or none of the definitions that can be used is of its kind and version',
    '',
  ]);
});

it('assay explain shows the cost of the parts of a messageExpression', async () => {
  const list = '{type: array, maxItems: 2, items: {type: string, maxLength: 3}}';
  const text = explanationText(await explained(list, `messageExpression: "'got ' + self.list[0]"`), VERBOSE);
  expect(text.slice(text.indexOf('    messageExpression'), text.indexOf('w.yaml:28:1: error: object')).split('\n')).toEqual([
    '    messageExpression: estimate 5 of 10,000,000 (0.0000 %)',
    '      spec.list[*]: maxLength 3',
    '    estimate  times',
    "           5     ×1  'got ' + self.list[0]  ◄ 40 % of the estimate",
    '           3     ×1    self.list[0]',
    '           2     ×1      self.list  ◄ 40 % of the estimate',
    '',
    '',
  ]);
});

it('assay explain shows an expensive messageExpression in its own row', async () => {
  const explanation = await explained(
    '{type: array, maxItems: 2, items: {type: string}}',
    `messageExpression: "'x' + string(self.list.size())"`,
  );
  expect(explanation.definitions[0]?.rules[0]).toMatchObject({ messageFactor: expect.any(Number) as number });
  const text = explanationText(explanation, { files: new Map(), servers: '1.37', verbose: false });
  expect(text).toMatch(/\n {2} +> 100x +1\.8 × 10\^18 +messageExpression of 1: 'x' \+ string\(self\.list\.size\(\)\)/);
  expect(text).not.toContain('--fix prints');
  expect(explanationPage(explanation, '1.37')).toMatch(/<td class="number">&gt; 100x<\/td>.*messageExpression of 1: /);
  const mending = await mendingOf(
    documents('{type: array, maxItems: 2, items: {type: string}}', `messageExpression: "'x' + string(self.list.size())"`),
  );
  const why =
    'the messageExpression of v1 properties[spec].x-kubernetes-validations[0] stays too expensive whatever the bounds; the expression';
  expect(mending).toMatchObject({ why: expect.stringContaining(why) as string });
});

it('assay explain rejects the number of a rule that does not exist', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-explain-')), 'w.yaml');
  writeFileSync(file, documents('{type: array, maxItems: 2, items: {type: string}}', '').split('---')[0] ?? '');
  const assay = await runAssay(['explain', file, '--rule', '99']);
  expect([assay.status, assay.stdout]).toEqual([2, '']);
  expect(assay.stderr).toContain('assay: --rule 99: the table has rules 1 to 1');
});

it('assay explain shows a table that fits into the terminal', async () => {
  const explanation = await explained('{type: array, maxItems: 20, items: {type: string, maxLength: 10}}');
  const widths = (columns: number) =>
    explanationText(explanation, { files: new Map(), servers: '1.37', verbose: false, columns })
      .split('\n')
      .slice(4, 6)
      .map((line) => line.length);
  expect(widths(80)).toEqual([60, 80]);
  expect(Math.max(...widths(500))).toBeLessThan(130);
});

it('assay explain shows the complete table in a pipe, and a table as wide as COLUMNS states', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-width-'));
  writeFileSync(join(folder, 'w.yaml'), documents('{type: array, maxItems: 20, items: {type: string, maxLength: 10}}', ''));
  const ruleLine = async (variables: Record<string, string>): Promise<string> => {
    const { stdout } = await runAssay(['explain', join(folder, 'w.yaml')], { env: variables });
    return stdout.split('\n').find((line) => line.startsWith('  1 ')) ?? '';
  };
  expect(await ruleLine({ COLUMNS: '' })).toMatch(/self\.list\.all\(a, a == 'x' \|\| self\.list\.exists\(b, b == a \+ 'y'\)\)$/);
  expect(await ruleLine({ COLUMNS: '80' })).toHaveLength(80);
  expect(await ruleLine({ COLUMNS: '90' })).toHaveLength(90);
});

it('assay explain suggests bounds for a definition that is too expensive, and still measures the definition', async () => {
  const explanation = await explained('{type: array, items: {type: string}}');
  const text = explanationText(explanation, VERBOSE);
  expect(text).toContain('w.yaml:2:1: CustomResourceDefinition "widgets.example.com" refused');
  // All places show the same bounds, and --fix writes them.
  const way = '    → spec.list: maxItems 128, spec.list[*]: maxLength 64 together suffice (now unbounded)\n';
  expect(text.split(way)).toHaveLength(3);
  expect(text).toContain('  bounds with which Kubernetes 1.37 accepts the costs of all rules:\n    spec.list: maxItems 128\n');
  const mending = await mendingOf(documents('{type: array, items: {type: string}}', '').split('---')[0] ?? '');
  expect(mending).toMatchObject({
    bounds: [
      { path: 'spec.list', suggested: 128 },
      { path: 'spec.list[*]', suggested: 64 },
    ],
  });
  expect(text).toMatch(
    /measured 1 evaluation in 1 object: (\d+) units; maximum \1, 0\.0000 % of the estimate, headroom 999,971 \(w\.yaml#1 spec\)/,
  );
  expect(explanation.objects).toMatchObject([
    { source: 'w.yaml#1', name: 'one', outcome: 'rejected' },
    { source: 'w.yaml#2', outcome: 'notEvaluated' },
  ]);
});

it('assay explain shows a table of the rules, and names the options that show more and fix the definition', async () => {
  const text = explanationText(await explained('{type: array, items: {type: string}}'), {
    files: new Map(),
    servers: '1.37',
    verbose: false,
  });
  expect(text).toMatch(
    /\n {2}#  OF LIMIT +ESTIMATE +MEASURED +LINE +GROWS WITH +RULE\n {2}1    > 100x .* spec\.list \(no maxItems\) +self\.list\.all\(/,
  );
  expect(text).toContain('--fix prints');
  expect(text).not.toContain('times  actual');
});

/** Definition in YAML with comments. Two of its rules are too expensive. */
const DEAR = `# A definition.
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          tags: {type: array, items: {type: string}, x-kubernetes-validations: [{rule: "self.all(a, self.all(b, a == b))"}]}
          names: # by name
            type: object
            maxProperties: 5000000 # many
            additionalProperties:
              type: string # why
              x-kubernetes-validations:
              - rule: self.matches('^[a-z]+$')
`;

async function mendingOf(text: string, choice = USUAL_CHOICE): Promise<Mending> {
  const { definitions } = await documentsOf([{ name: 'w.yaml', bytes: Buffer.from(text) }], host);
  const options = checkOptions({});
  if (!options.ok || definitions[0] === undefined) throw new Error('no definition');
  return mendDefinition(definitions[0], { options: options.value, choice }, host);
}

it('assay explain --fix writes only bounds with which a server accepts a definition', async () => {
  const mending = await mendingOf(DEAR, { changes: 'all', values: 'common' });
  if (mending.kind !== 'mended') throw new Error(mending.kind);
  expect(mending.bounds.length).toBeGreaterThan(2);
  expect((await mendingOf(mending.text)).kind).toBe('in order');
  const unbounded = mending.text.replaceAll(/max(?:Items|Length): \d+, /g, '').replaceAll(/ *maxLength: \d+\n/g, '');
  expect(unbounded.replace(/maxProperties: \d+/, 'maxProperties: 5000000')).toBe(DEAR);
  expect(mending.patch).toContain('--- a/w.yaml\n+++ b/w.yaml\n');
});

it('assay explain --fix lowers no existing bound without an option for that, and reports what it would lower', async () => {
  const mending = await mendingOf(DEAR);
  expect(mending).toEqual({
    kind: 'not mended',
    why: 'no missing bound helps v1 properties[names].additionalProperties.x-kubernetes-validations[0]',
    tightening: expect.arrayContaining([expect.objectContaining({ path: 'names', keyword: 'maxProperties', before: 5_000_000 })]) as object,
  });
  const bounded = await mendingOf(DEAR.replace('            maxProperties: 5000000 # many\n', ''));
  expect(bounded).toMatchObject({ kind: 'mended', bounds: expect.arrayContaining([expect.objectContaining({ path: 'tags' })]) as object });
});

it('assay explain --fix writes nothing if a server accepts the definition, or if bounds do not help', async () => {
  const cheap = DEAR.replace(/x-kubernetes-validations: \[.*\]/, 'maxItems: 5')
    .replace('5000000', '50')
    .replace('# why', '\n              maxLength: 9');
  expect(await mendingOf(cheap)).toEqual({ kind: 'in order' });
  expect(await mendingOf(DEAR.replace('a == b', 'a == c'))).toMatchObject({ kind: 'not mended' });
});

it('assay explain gives advice at its position, except for kinds of advice that are disabled', async () => {
  const found = await documentsOf([{ name: 'w.yaml', bytes: Buffer.from(documents('{type: array, items: {type: string}}', '')) }], host);
  const options = checkOptions({});
  if (!options.ok) throw new Error(options.status.message);
  const adviceWithout = async (unwanted: UnwantedAdvice): Promise<string[]> =>
    (await explainDocuments(found, options.value, host, unwanted)).definitions.flatMap(({ advice }) =>
      advice.map(({ id, location }) => `${id} ${location?.line}:${location?.column}`),
    );
  expect(await adviceWithout([])).toEqual(['missing-has 22:21', 'missing-bound 22:21']);
  expect(await adviceWithout(['missing-has'])).toEqual(['missing-bound 22:21']);
  expect(await adviceWithout('all')).toEqual([]);
});
