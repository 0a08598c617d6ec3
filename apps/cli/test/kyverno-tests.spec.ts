import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkOptions } from '#documents';
import { EngineHost } from '#runner';
import { loadSuites } from '../src/suite/load-suite.ts';
import { suiteReport } from '../src/suite/report-suites.ts';
import { runSuite } from '../src/suite/run-suite.ts';
import type { CaseResult } from '../src/suite/suite.ts';
import { runAssay } from '../../../testing/run-assay.ts';
import { Folder } from './suite-fixture.ts';

const host = new EngineHost({ threads: 1 });
beforeAll(() => host.start());
afterAll(() => host.stop());

async function results(files: Readonly<Record<string, string>>, options: object = {}): Promise<CaseResult[]> {
  using folder = new Folder(files);
  const checked = checkOptions(options);
  if (!checked.ok) throw new Error(checked.status.message);
  const found: CaseResult[] = [];
  for (const loaded of await loadSuites([folder.path], host))
    for await (const result of runSuite(loaded, checked.value, host)) found.push(result);
  return found;
}

/** Returns the name and result of each case. */
const ends = (found: readonly CaseResult[]): readonly (readonly [string, string])[] =>
  found.map(
    ({ name, passed, problem, notSupported }) => [name, passed ? 'passed' : (problem ?? `not supported: ${notSupported ?? ''}`)] as const,
  );

const pod = (name: string, more: object = {}, metadata: object = {}): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1', ...more }] },
  });

describe('test files of the kyverno command', () => {
  const rule = '{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE, UPDATE]}';
  const FILES = {
    'policies.yaml': `
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: tagged}
spec:
  validationActions: [Audit]
  matchConstraints: {resourceRules: [${rule}]}
  matchConditions: [{name: not-ours, expression: "!has(object.metadata.labels) || !('ours' in object.metadata.labels)"}]
  validations: [{expression: "object.spec.containers.all(c, c.image.contains(':'))", message: "no tag, resource.Get( is no call here"}]
---
apiVersion: policies.kyverno.io/v1
kind: MutatingPolicy
metadata: {name: labelled}
spec:
  matchConstraints: {resourceRules: [${rule}]}
  mutations:
  - {patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {'team': 'a'}}}"}}
---
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: looking}
spec:
  matchConstraints: {resourceRules: [${rule}]}
  validations: [{expression: "resource.Get('v1', 'configmaps', 'default', 'c') != null"}]
---
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: broken}
spec:
  matchConstraints: {resourceRules: [${rule}]}
  validations: [{expression: "object.spec.size( > 1"}]
---
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: old}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: in-teams}
spec:
  matchConstraints: {namespaceSelector: {matchLabels: {team: a}}, resourceRules: [${rule}]}
  validations: [{expression: "request.userInfo.username == 'ann'"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: in-teams}
spec: {policyName: in-teams, validationActions: [Audit]}
`,
    'resources.yaml': [
      pod('good'),
      pod('bad', { image: 'web' }, { namespace: 'team-a' }),
      pod('ours', { image: 'web' }, { labels: { ours: 'yes' } }),
      JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'bad' }, spec: {} }),
    ].join('\n---\n'),
    'patched.yaml': pod('good', {}, { labels: { team: 'a' } }),
    'wrongly-patched.yaml': pod('good', {}, { labels: { team: 'b' } }),
    'user.yaml': 'apiVersion: cli.kyverno.io/v1alpha1\nkind: UserInfo\nuserInfo: {username: ann}\n',
    'values.yaml': 'apiVersion: cli.kyverno.io/v1alpha1\nkind: Values\nnamespaceSelector: [{name: team-a, labels: {team: a}}]\n',
  };
  const test = (rows: readonly object[], more: object = {}): Readonly<Record<string, string>> => ({
    ...FILES,
    'kyverno-test.yaml': JSON.stringify({
      apiVersion: 'cli.kyverno.io/v1alpha1',
      kind: 'Test',
      metadata: { name: 'table' },
      policies: ['policies.yaml'],
      resources: ['resources.yaml'],
      results: rows,
      ...more,
    }),
  });

  it('compare the verdicts of the generated admission policies with the expected results of the Kyverno test', async () => {
    const tagged = { policy: 'tagged', kind: 'Pod' };
    const found = await results(
      test([
        { ...tagged, resources: ['good'], result: 'pass' },
        { ...tagged, resources: ['team-a/bad'], result: 'fail' },
        { ...tagged, resources: ['ours'], result: 'skip' },
        { ...tagged, resources: ['good'], result: 'fail' },
        { ...tagged, resources: ['ours'], result: 'fail' },
        { ...tagged, resources: ['nobody'], result: 'pass' },
        { policy: 'tagged', kind: 'Deployment', resources: ['bad'], result: 'fail' },
        { policy: 'looking', resources: ['good'], result: 'pass' },
        { policy: 'broken', resources: ['good'], result: 'fail' },
        { policy: 'old', rule: 'r', resources: ['good'], result: 'pass' },
      ]),
    );
    expect(ends(found)).toEqual([
      ['tagged: Pod good pass', 'passed'],
      ['tagged: Pod team-a/bad fail', 'passed'],
      ['tagged: Pod ours skip', 'passed'],
      ['tagged: Pod good fail', 'expected fail, but it is pass'],
      ['tagged: Pod ours fail', 'expected fail, but it is skip'],
      ['tagged: Pod nobody pass', 'not supported: the files of the test hold no resource nobody'],
      ['tagged: Deployment bad fail', 'not supported: the policy is about pods: Kyverno has rules of its own for pod controllers'],
      ['looking: good pass', "not supported: it uses Kyverno's own library: resource"],
      ['broken: good fail', expect.stringContaining('not supported: no server would store the policy')],
      ['old/r: good pass', 'not supported: no admission policy is made here of a ClusterPolicy'],
    ]);
  });

  it('compare mutated resources if mutating policies apply to them', async () => {
    const labelled = { policy: 'labelled', kind: 'Pod', resources: ['good'], result: 'pass' };
    const files = test([
      { ...labelled, patchedResources: 'patched.yaml' },
      { ...labelled, patchedResources: 'wrongly-patched.yaml' },
    ]);
    expect(ends(await results(files)).map(([, end]) => end)).toEqual([
      'passed',
      'the stored object differs at metadata.labels.team: expected "b", stored "a"',
    ]);
    const early = ends(await results(files, { kubernetesVersion: '1.33' }));
    expect(early.map(([, end]) => end)).toEqual(
      Array(2).fill(expect.stringContaining('not supported: no mutating policy is in force on 1.33')),
    );
  });

  it('read users, and Namespaces from values, and do not count an audit-only binding as a pass', async () => {
    const row = { policy: 'in-teams', kind: 'Pod', resources: ['bad'] };
    const values = { variables: 'values.yaml' };
    expect(ends(await results(test([{ ...row, result: 'fail' }], values)))[0]?.[1]).toBe('passed');
    expect(ends(await results(test([{ ...row, result: 'pass' }], { ...values, userinfo: 'user.yaml' })))[0]?.[1]).toBe('passed');
    expect(ends(await results(test([{ ...row, result: 'skip' }])))[0]?.[1]).toBe('passed');
  });

  it('are unsupported with exceptions, or without expectations', async () => {
    const row = { policy: 'tagged', resources: ['good'], result: 'pass' };
    expect(ends(await results(test([row], { exceptions: ['e.yaml'] })))[0]?.[1]).toBe('not supported: PolicyExceptions');
    expect(ends(await results(test([])))[0]?.[1]).toContain('not supported: the test has no results');
  });

  it.each([
    ['userinfo: user.yaml', { 'user.yaml': 'userInfo: {username: [1]}' }, /user\.yaml: .*username/],
    ['variables: values.yaml', { 'values.yaml': 'namespaceSelector: 7' }, /values\.yaml: .*namespaceSelector/],
    ['resources: [none.yaml]', {}, /none\.yaml: no such file/],
    ['results: 7', {}, /not a suite: .*results/],
  ])('are rejected if they are unreadable: %s', async (line, files, problem) => {
    using folder = new Folder({
      'kyverno-test.yaml': `apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\n${line}\n${line.startsWith('results') ? '' : 'results: [{policy: p, result: pass}]'}`,
      ...files,
    });
    await expect(loadSuites([folder.path], host)).rejects.toThrow(problem);
  });

  it('do not count an unsupported case as passed', async () => {
    using folder = new Folder(test([{ policy: 'old', resources: ['good'], result: 'pass' }]));
    const run = await runAssay(['test', folder.path]);
    expect([run.status, run.stdout]).toEqual([1, expect.stringContaining('Summary: 1 cases - Passed: 0, Failed: 0, Not supported: 1')]);
    const found = await results(test([{ policy: 'old', resources: ['good'], result: 'pass' }]));
    expect(suiteReport('junit', found)).toMatch(/tests="1" failures="0" errors="0" skipped="1"[^]*<skipped message="no admission policy/);
    expect(JSON.parse(suiteReport('sarif', found))).toMatchObject({ runs: [{ results: [{ kind: 'notApplicable', level: 'none' }] }] });
    expect(suiteReport('github', found)).toMatch(/^::warning .*::not supported: no admission policy/);
  });
});
