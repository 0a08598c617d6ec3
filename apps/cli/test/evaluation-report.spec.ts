import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { EngineThreads } from '#runner';
import { pairDocuments } from '#service';
import { evaluate, skipUnknownKinds, evaluationStatus } from '../src/evaluation/evaluate.ts';
import type { EvaluationOutcome } from '../src/evaluation/evaluate.ts';
import { FileAccess } from '../src/files/file-access.ts';
import type { EvaluateArguments } from '../src/commands/evaluate/arguments.ts';
import { documentsOf } from '../src/documents/read-documents.ts';
import type { TextFile } from '../src/documents/read-documents.ts';
import { readInputs } from '../src/documents/read-inputs.ts';
import { readRevision } from '../src/documents/read-revision.ts';
import { beginReport, EVALUATION_FORMS } from '../src/commands/evaluate/report/all-reports.ts';
import type { EvaluationForm } from '../src/commands/evaluate/report/all-reports.ts';
import { wholeReport, EvaluationView } from '../src/commands/evaluate/report/report.ts';
import { UsageError } from '../src/usage.ts';
import { readCommand } from './read-command.ts';

const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
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
            x-kubernetes-validations:
            - rule: >-
                !has(self.low) ||
                self.low <= self.high
              message: low above high
            - rule: self.fixed == oldSelf.fixed
              message: fixed
            properties:
              low: {type: integer, minimum: 1}
              high: {type: integer}
              fixed: {type: string, default: a}
`;
const BROKEN = DEFINITION.replaceAll('gadgets', 'widgets').replaceAll('Gadget', 'Widget').replace('self.high', 'self.hihg');
const OBJECTS = `# Source: chart/templates/gadgets.yaml
apiVersion: example.com/v1
kind: Gadget
metadata: {name: good}
spec: {low: 1, high: 2}
---
apiVersion: example.com/v1
kind: Gadget
metadata: {name: typo}
spec:
  lwo: 1
---
apiVersion: v1
kind: List
items:
- {apiVersion: apps/v1, kind: Deployment, metadata: {name: foreign}}
- apiVersion: example.com/v1
  kind: Gadget
  metadata: {name: listed}
  spec: {low: 3, high: 2}
`;
const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [gadgets]}]
  validations: [{expression: object.spec.lwo < 5}, {expression: 'size('}]
`;
/** List in the form in which a server sends it. Its metadata contain no name. */
const LIST = 'apiVersion: v1\nkind: List\nmetadata: {}\nitems: []\n';

let host: EngineThreads;
beforeAll(() => {
  host = new EngineThreads();
  host.start();
});
afterAll(() => host.stop());

const folderOf = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-evaluate-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};

interface Evaluated {
  readonly command: EvaluateArguments;
  readonly outcome: EvaluationOutcome;
  readonly files: readonly TextFile[];
  readonly status: number;
}

/** Evaluates a folder as `assay evaluate` does, and returns the result. */
async function evaluated(folder: string, ...options: readonly string[]): Promise<Evaluated> {
  const command = readCommand(['evaluate', folder, ...options]) as EvaluateArguments;
  const fail = (problem: string): never => {
    throw new Error(problem);
  };
  const documents = await documentsOf(await readInputs(command.paths, fail), host);
  const old = await documentsOf(readRevision(command.base, command.paths, command.reading.access), host);
  const objects = pairDocuments(documents.objects, old.objects, { asSent: false });
  const all = await evaluate({ ...documents, objects }, command.options, host);
  const outcome = command.strictKinds ? all : skipUnknownKinds(all);
  return { command, outcome, files: documents.files, status: evaluationStatus(command, outcome) };
}

async function report(form: EvaluationForm, folder: string, ...options: readonly string[]): Promise<string> {
  const { command, outcome, files } = await evaluated(folder, ...options);
  return wholeReport(await beginReport(form), outcome, new EvaluationView(files, command)).replaceAll(`${folder}/`, '');
}

it.each(['yaml', 'json'])("a definition in %s gets a note only if it is too large for kubectl apply's annotation", async (notation) => {
  const bytes = (letters: number): string => {
    const definition = DEFINITION.replace('        type: object\n', `        type: object\n        description: ${'x'.repeat(letters)}\n`);
    return notation === 'yaml' ? definition : JSON.stringify(parse(definition));
  };
  for (const [letters, notes] of [
    [262_144, 1],
    [200_000, 0],
  ] as const) {
    const { outcome } = await evaluated(folderOf({ [`crd.${notation}`]: bytes(letters) }));
    expect(outcome.definitions.map(({ findings = [] }) => findings.length)).toEqual([notes]);
  }
});

describe('the report of an evaluation', () => {
  it('has the form of compiler errors, at the right positions', async () => {
    const text = await report('text', folderOf({ 'crd.yaml': DEFINITION, 'objects.yaml': OBJECTS, 'broken.yaml': BROKEN }));
    expect(text.split('\n')).toEqual([
      `broken.yaml:21:33: error: CustomResourceDefinition "widgets.example.com": spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: compilation failed: undefined field 'hihg'`,
      '    21 |                 self.low <= self.hihg',
      '       |                                 ^^^^^',
      'objects.yaml:2:1: Gadget "good" accepted (CEL cost 7)',
      `objects.yaml:11:3: error: Gadget "typo": strict decoding error: unknown field "spec.lwo"`,
      '    11 |   lwo: 1',
      '       |   ^^^',
      'objects.yaml:20:3: error: Gadget "listed": spec: Invalid value: low above high',
      '    20 |   spec: {low: 3, high: 2}',
      '       |   ^^^^',
      'Summary: 3 objects and 2 definitions (1 refused) in 3 files - Accepted: 1, Refused: 2, Not evaluated: 0, Skipped: 1 (no definition), CEL cost: 14',
      '',
    ]);
  });

  it('with only definitions names up to ten accepted definitions, and counts no objects', async () => {
    const many = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [
          `${10 + i}.yaml`,
          DEFINITION.replaceAll('gadget', `gadget${i}`).replaceAll('Gadget', `Gadget${i}`),
        ]),
      );
    expect(await report('text', folderOf({ ...many(1), 'broken.yaml': BROKEN }), '--no-advice')).toMatch(
      /hihg'\n.*\n.*\n10\.yaml:1:1: CustomResourceDefinition "gadget0s\.example\.com" accepted\nSummary: 2 definitions in 2 files - Accepted: 1, Refused: 1\n$/,
    );
    expect((await report('text', folderOf(many(10)), '--no-advice')).match(/ accepted\n/g)).toHaveLength(10);
    const summary = 'Summary: 11 definitions in 11 files - Accepted: 11, Refused: 0\n';
    expect(await report('text', folderOf(many(11)), '--no-advice')).toBe(summary);
    expect(await report('text', folderOf(many(1)), '--quiet')).toBe('Summary: 1 definition in 1 file - Accepted: 1, Refused: 0\n');
  });

  it('in the form `unix`, for editors, has one line per problem', async () => {
    expect(await report('unix', folderOf({ 'crd.yaml': DEFINITION, 'objects.yaml': OBJECTS }))).toBe(
      [
        'objects.yaml:11:3: error: Gadget "typo": Gadget in version "v1" cannot be handled as a Gadget: strict decoding error: unknown field "spec.lwo"',
        'objects.yaml:20:3: error: Gadget "listed": spec: Invalid value: low above high',
        '',
      ].join('\n'),
    );
  });

  it('has forms for GitHub, code scanning and test reports, and as a table', async () => {
    const folder = folderOf({ 'crd.yaml': DEFINITION, 'objects.yaml': OBJECTS });
    expect(await report('github', folder)).toContain(
      '::error file=objects.yaml,line=20,col=3,title=Gadget "listed"::spec: Invalid value: low above high\n',
    );
    const sarif = JSON.parse(await report('sarif', folder)) as { runs: { results: unknown[] }[] };
    expect(sarif.runs[0]?.results).toMatchObject([
      { ruleId: 'rejected-object', level: 'error' },
      { locations: [{ physicalLocation: { region: { startLine: 20, startColumn: 3, endLine: 20, endColumn: 7 } } }] },
    ]);
    const junit = await report('junit', folder);
    expect(junit).toContain('tests="4" failures="2" errors="0" skipped="0"');
    expect(junit).toContain('<testcase classname="objects.yaml" name="Gadget &quot;typo&quot;" file="objects.yaml" line="11"');
    expect(await report('table', folder, '-q')).toMatch(/OUTCOME +NAME +CEL COST +PLACE\n.*\nrefused +Gadget "typo" +objects.yaml:7:1\n/);
  });

  it.each(EVALUATION_FORMS)('as %s is the same whether its items are written one by one or at once', async (form) => {
    const folder = folderOf({ 'crd.yaml': DEFINITION, 'broken.yaml': BROKEN, 'objects.yaml': OBJECTS, 'policy.yaml': POLICY });
    const { command, outcome, files } = await evaluated(folder, '--return-objects');
    const view = new EvaluationView(files, command);
    const sliced = await beginReport(form);
    const parts = [sliced.open(outcome, view), ...outcome.items.map((item) => sliced.items([item], view)), sliced.close(outcome, view)];
    expect(outcome.items).toHaveLength(4);
    expect(parts.join('')).toBe(wholeReport(await beginReport(form), outcome, view));
    if (form === 'json' || form === 'yaml') expect(parse(parts.join(''))).toEqual(JSON.parse(JSON.stringify(outcome)));
  });

  it("with --as-server contains the server's complete response", async () => {
    const text = await report('text', folderOf({ 'broken.yaml': BROKEN }), '--as-server');
    expect(text).toContain('CustomResourceDefinition.apiextensions.k8s.io "widgets.example.com" is invalid: spec.validation');
    expect(text).toContain(' | ..................................^');
  });

  it('with --quiet leaves out accepted objects', async () => {
    const folder = folderOf({ 'crd.yaml': DEFINITION, 'objects.yaml': OBJECTS });
    expect(await report('text', folder, '--quiet')).not.toContain('accepted\n');
    expect(await report('text', folder, '--quiet', '--as-server')).not.toContain('accepted\n');
    expect(await report('text', folder)).toContain('"good" accepted');
    expect(await report('text', folder, '--as-server')).toContain('"good" accepted');
  });

  it("shows the server's errors in a policy at their positions", async () => {
    const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: guard}
spec: {policyName: guard, validationActions: [Denny]}
`;
    const folder = folderOf({ 'crd.yaml': DEFINITION, 'policies.yaml': `kind: ConfigMap\napiVersion: v1\n---\n${policy}` });
    const words = `policies.yaml:7:47: error: ValidatingAdmissionPolicyBinding "guard": spec.validationActions[0]: a server refuses to store it, and objects are judged as if it were stored: Unsupported value: "Denny": supported values: "Audit", "Deny", "Warn"\n`;
    expect(await report('text', folder)).toContain(words);
    expect(await report('unix', folder)).toContain(words);
  });

  it('counts the objects of a rejected definition as not evaluated', async () => {
    const widgets = ['a', 'b'].map((name) => `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: ${name}}\n`).join('---\n');
    const text = await report('text', folderOf({ 'broken.yaml': BROKEN, 'widgets.yaml': widgets }));
    expect(text).toContain('2 objects of widgets.example.com not evaluated: the definition is refused\n');
  });

  it.each([
    ['unknown fields are rejected, as by kubectl', [], 1],
    ['--fail-on warning also fails for rejected objects', ['--fail-on', 'warning'], 1],
    ['--fail-on not-evaluated also fails for rejected objects', ['--fail-on', 'not-evaluated'], 1],
    ['--fail-on warning is given beside --field-validation Warn', ['--field-validation', 'Warn', '--fail-on', 'warning'], 1],
    ['--fail-on not-evaluated is given beside --strict-kinds', ['--strict-kinds', '--fail-on', 'not-evaluated'], 1],
    ['--must-reject is given, and not all objects are rejected', ['--must-reject'], 1],
  ])('leads to exit status 1: %s', async (_, options, status) => {
    expect((await evaluated(folderOf({ 'crd.yaml': DEFINITION, 'objects.yaml': OBJECTS }), ...options)).status).toBe(status);
  });

  it.each([
    ['a list with a key twice', `kind: List\napiVersion: v1\nitems: []\nitems: []\n`, '4:1: error: List: strict decoding error'],
    [
      'a definition and a list in one document',
      `${DEFINITION}${LIST}`,
      '29:1: error: List: two documents have become one: put "---" between them',
    ],
    [
      'a list and a definition in one document',
      `${LIST}${DEFINITION}`,
      '5:1: error: CustomResourceDefinition "gadgets.example.com": two documents',
    ],
  ])('contains an error at the second of two equal keys: %s', async (_, text, words) => {
    const folder = folderOf({ 'a.yaml': text });
    expect(await report('text', folder)).toContain(`a.yaml:${words}`);
    expect((await evaluated(folder)).status).toBe(1);
  });

  it.each([
    [130_000, 131_000, false],
    [131_000, 132_000, true],
  ])(
    "mentions a definition only if it is too large for kubectl apply's annotation: %d and %d characters",
    async (one, other, isReported) => {
      const text = DEFINITION.replace(
        'type: object',
        `type: object\n        description: '${'x'.repeat(one)}'\n        title: '${'y'.repeat(other)}'`,
      );
      expect((await report('text', folderOf({ 'crd.yaml': text }))).includes('crd.yaml:1:1: note: ')).toBe(isReported);
    },
  );

  it('names an object without a definition', async () => {
    const names = [
      'apiVersion: a.com/v1\nkind: A\nmetadata: {name: why, namespace: not}\n',
      '{"apiVersion":"a.com/v1","kind":"A","metadata":{"name":"j"}}',
    ];
    const { outcome } = await evaluated(folderOf({ 'a.yaml': names.join('---\n') }), '--strict-kinds');
    expect(outcome.items).toMatchObject([
      { missing: true, name: 'why', namespace: 'not' },
      { missing: true, name: 'j' },
    ]);
  });

  it('of an object with an unknown field is a failure with --field-validation Warn only if --fail-on names warnings', async () => {
    const typo = 'apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: typo}\nspec: {lwo: 1}\n';
    const folder = folderOf({ 'crd.yaml': DEFINITION, 'typo.yaml': typo });
    const statusOf = async (failure: string) => (await evaluated(folder, '--field-validation', 'Warn', '--fail-on', failure)).status;
    expect([await statusOf('warning'), await statusOf('not-evaluated')]).toEqual([1, 0]);
  });

  it('of a folder of invalid examples is a success with --must-reject if all are rejected', async () => {
    const bad = 'apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: bad}\nspec: {low: 0}\n';
    expect((await evaluated(folderOf({ 'crd.yaml': DEFINITION, 'bad.yaml': bad }), '--must-reject')).status).toBe(0);
  });

  it('with only unknown kinds is a failure, also with a misspelt kind of a known group', async () => {
    const foreign = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n';
    expect((await evaluated(folderOf({ 'a.yaml': foreign }))).status).toBe(1);
    const misspelt = 'apiVersion: example.com/v1\nkind: Gadgte\nmetadata: {name: a}\n';
    const { status, outcome } = await evaluated(folderOf({ 'crd.yaml': DEFINITION, 'a.yaml': misspelt }));
    expect([status, outcome.skipped, outcome.summary.notEvaluated]).toEqual([1, 0, 1]);
  });

  it('shows errors of updates if the old objects come from a Git revision', async () => {
    const gadget = (fixed: string): string => `apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: g}\nspec: {fixed: ${fixed}}\n`;
    const folder = folderOf({ 'crd.yaml': DEFINITION, 'g.yaml': gadget('a') });
    const git = (...argv: string[]): void =>
      void execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...argv]);
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'first');
    writeFileSync(join(folder, 'g.yaml'), gadget('b'));
    expect((await evaluated(folder)).status).toBe(0);
    expect(await report('text', folder, '--base', 'HEAD')).toContain('g.yaml:4:1: error: Gadget "g": spec: Invalid value: fixed');
    expect(() => readRevision('nowhere', [folder], new FileAccess())).toThrow(UsageError);
    expect(() => readRevision('--output=x', [folder], new FileAccess())).toThrow(UsageError);
  });
});
