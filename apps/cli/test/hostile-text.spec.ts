import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { escapedInQuotes } from '#report';
import { answerStatus, FakeApiServer, FakeDefinitions } from '../../../libs/cluster/testing/fake-api-server.ts';
import type { Answering } from '../../../libs/cluster/testing/fake-api-server.ts';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { DIFF_FORMS } from '../src/commands/diff/command.ts';
import { HISTORY_FORMS } from '../src/commands/history/command.ts';
import { BENCH_FORMS } from '../src/commands/bench/command.ts';
import { LOAD_FORMS } from '../src/commands/load/report-forms.ts';
import { OUTPUT_FORMS, REPORT_FORMS } from '../src/report/forms.ts';
import { EVALUATION_FORMS } from '../src/commands/evaluate/report/all-reports.ts';
import { SUITE_REPORTS } from '../src/commands/test/command.ts';
import { runAssay } from '../../../testing/run-assay.ts';
import { sampled } from '../../../testing/thorough.ts';

const MARKS = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff';
const LINES = '\r\u0085\u2028\u2029';
const INJECTED = `::error::first\n::stop-commands::t\n \u00a0::warning file=x::second ${'long words '.repeat(30)}::notice::third\n##[error]a ##vso[task.x]b\u001b]0;owned\u0007\u001b[2J\u009b2J${MARKS}${LINES}::error::last`;
const folder = mkdtempSync(join(tmpdir(), 'assay-hostile-text-'));
// A file name may contain any character but a slash.
const inner = join(folder, 'a\n::error::in a name \u001b[2J\u202e');
mkdirSync(inner);

function definition(message: string, more: Readonly<Record<string, unknown>> = {}): object {
  const rules = [
    { rule: 'self.size > 5', message },
    { rule: `self.text != '''\n${INJECTED.replaceAll('\r', '')}'''`, message },
    { rule: 'size(self.text) < 1', messageExpression: '"said: " + self.text' },
  ];
  const spec = {
    type: 'object',
    description: INJECTED,
    properties: {
      size: { type: 'integer' },
      text: { type: 'string', maxLength: 2000 },
      kind: { type: 'string', enum: [INJECTED] },
      [INJECTED]: { type: 'string', ...more },
    },
    'x-kubernetes-validations': rules,
  };
  return customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } });
}

const metadata = { name: INJECTED, labels: { [INJECTED]: INJECTED } };
const widget = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata,
  spec: { size: 1, text: INJECTED, kind: `${INJECTED}!`, [INJECTED]: 'x', [`unknown ${INJECTED}`]: INJECTED },
};
const write = (name: string, value: unknown, into = inner): string => {
  const path = join(into, name);
  writeFileSync(path, typeof value === 'string' ? value : escapedInQuotes(JSON.stringify(value)));
  return path;
};
const crd = write('crd.json', definition('too \u001b[31m small\u009b2J\u202e ##[error]'));
const changed = write('changed.json', definition('other \u001b[31m\u202e', { enum: [INJECTED] }));
write('refused.json', { ...definition('\n::error::refused'), metadata: { name: INJECTED } });
write('w.json', widget);
write('broken.yaml', `a: "\u001b[2J"\nb: [::error::x\u202e\n::error::y\n`);
const test = { initial: JSON.stringify(widget), expectedError: 'never said' };
write('w.suite.yaml', { name: INJECTED, crd: 'crd.json', tests: { onCreate: [{ name: INJECTED, ...test }] } });
const policy = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: INJECTED },
  spec: {
    matchConstraints: { resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }] },
    validations: [{ expression: `object.metadata.name == '''${INJECTED}'''`, message: INJECTED, reason: 'Forbidden' }],
  },
};
const policies = write('policies.json', { apiVersion: 'v1', kind: 'List', items: [policy] });

/** Returns the folder of a repository in which the definition changes after the last commit. */
function repository(): string {
  const git = mkdtempSync(join(tmpdir(), 'assay-hostile-diff-'));
  const run = (...argv: string[]): void =>
    void execFileSync('git', ['-C', git, '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...argv]);
  write('crd.json', definition('before', { maxLength: 5 }), git);
  write('w.json', { ...widget, metadata: { name: 'w' }, spec: { size: 9, text: 'x' } }, git);
  run('init', '-q');
  run('add', '-A');
  run('commit', '-qm', `first \u202e \u001b[2J ${INJECTED}`);
  write('crd.json', definition('before \u202e'), git);
  run('commit', '-qam', `second \u202e ##[error] ${INJECTED}`);
  write('crd.json', definition(`after ##[error]\u202e`, { enum: [INJECTED], maxLength: 3 }), git);
  return git;
}
const revisions = repository();

const temporary = new FakeDefinitions();
/** Takes temporary definitions and their dry runs, and refuses every other dry run with a hostile reason. */
const answerWrites: Answering = (request, response) => {
  const { method, url = '' } = request;
  if (url.includes('.assay.dev') || (method === 'POST' && url.endsWith('/customresourcedefinitions')))
    return temporary.answer(request, response);
  if (method !== 'POST' || !url.includes('dryRun=All')) return false;
  request.resume();
  return answerStatus(response, 422, 'Invalid', INJECTED);
};

let server: FakeApiServer;
const kubeconfig = join(folder, 'kubeconfig');
beforeAll(async () => {
  server = await FakeApiServer.start({
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions': [definition('on a server \u202e')],
    '/apis/example.com/v1/widgets': [{ ...widget, metadata: { ...metadata, namespace: INJECTED } }],
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies': [policy],
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings': [],
    '/api/v1/namespaces': [{ metadata: { name: 'default' } }],
  });
  server.always.push(answerWrites);
  writeFileSync(kubeconfig, server.kubeconfig.replaceAll('"fake"', JSON.stringify(INJECTED)));
});
afterAll(() => server.stop());

const cluster = ['--cluster', '--kubeconfig', kubeconfig];
/** Outputs that show only the beginning of a rule, or no text of a client. */
const SHORT_OUTPUTS = new Set([
  ...['diff', 'history', 'bench'].flatMap((title) => [`${title} badge`, `${title} bencher`]),
  'history markdown',
  'bench markdown',
]);
/** Each command with all of its forms. */
const COMMANDS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['evaluate', ['evaluate', folder], EVALUATION_FORMS],
  ['evaluate as the server', ['evaluate', folder, '--as-server', '--explain'], ['text', 'json', 'yaml']],
  ['evaluate a cluster', ['evaluate', crd, ...cluster], ['text', 'json', 'yaml']],
  ['evaluate a missing file', ['evaluate', join(inner, `nothing \u001b[2J\u202e\n::error::x`)], ['text']],
  ['explain', ['explain', folder], REPORT_FORMS],
  ['explain all', ['explain', folder, '--verbose'], ['text']],
  ['explain a cluster', ['explain', ...cluster], ['text', 'json', 'yaml']],
  ['explain --fix', ['explain', crd, '--fix'], ['text']],
  ['matrix', ['matrix', folder], REPORT_FORMS],
  ['what-if', ['what-if', '--from', crd, '--to', changed, folder], REPORT_FORMS],
  ['what-if of policies', ['what-if', '--from', policies, '--to', policies, folder], ['text', 'json', 'yaml']],
  ['upgrade-check', ['upgrade-check', '--to-version', '1.37', ...cluster.slice(1)], OUTPUT_FORMS],
  ['diff', ['diff', 'HEAD', revisions], DIFF_FORMS],
  ['history', ['history', revisions], HISTORY_FORMS],
  ['bench', ['bench', crd, '--no-times', '--budget', '3s', '--fail-on', 'cost>1'], BENCH_FORMS],
  // Only a whole build has the load driver.
  ...(process.env['ASSAY_BUILT'] === undefined
    ? []
    : [['load', ['load', crd, join(inner, 'w.json'), ...cluster, '--duration', '1s'], LOAD_FORMS] as const]),
  [
    'load with temporary definitions',
    ['load', crd, ...cluster, '--temporary-definitions', '--budget', '2s', '--duration', '1s', '--rate', '200'],
    LOAD_FORMS,
  ],
  ['eval', ['eval', `self.spec.text + '''${INJECTED}'''`, '--schema', crd, '--object', join(inner, 'w.json')], OUTPUT_FORMS],
  ['test', ['test', folder], SUITE_REPORTS],
];
const RUNS = COMMANDS.flatMap(([title, argv, forms]) => forms.map((form) => ({ title, form, argv: [...argv, '-o', form] })));

/** Returns the lines of an output that a CI system interprets as commands. The form `github` has commands of its own. */
function commandsIn(output: string, form: string): string[] {
  const own = form === 'github' ? /^::(?:error|warning|notice) file=/ : /^$/;
  return output.split('\n').filter((line) => (line.trim().startsWith('::') && !own.test(line)) || /##[a-z]*\[/i.test(line));
}

describe('hostile text of a client', () => {
  it.each(sampled(RUNS, 7))('has no effect on a terminal or on a CI system in assay $title -o $form', async ({ argv, form, title }) => {
    const run = await runAssay(argv);
    expect(run.status, run.stderr).toBeOneOf(title === 'evaluate a missing file' ? [2] : [0, 1]);
    const output = run.stdout + run.stderr;
    expect(output.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g)).toBeNull();
    expect(commandsIn(output, form)).toEqual([]);
    // The hostile text was present, and is shown as plain text.
    if (!SHORT_OUTPUTS.has(`${title} ${form}`)) expect(output).toMatch(/\\u202e|&#8238;|%E2%80%AE/);
    if (form === 'json' || form === 'sarif') JSON.parse(run.stdout);
    if (form === 'yaml') parse(run.stdout);
  });

  it('gives the same value in JSON and YAML when a program parses the output', async () => {
    const [json, yaml] = await Promise.all(['json', 'yaml'].map((form) => runAssay(['evaluate', folder, '-o', form])));
    const value: unknown = JSON.parse(json?.stdout ?? '');
    const untimed = (text = ''): string => text.replaceAll(/("?total"?: )[\d.]+/g, '$10');
    expect(parse(untimed(yaml?.stdout))).toEqual(JSON.parse(untimed(json?.stdout)));
    expect(textsIn(value)).toContain(INJECTED);
  });
});

/** Returns all keys and texts in a JSON value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}
