import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkOptions } from '#evaluation';
import { readJson } from '#go';
import type { JsonObject } from '#go';
import { EngineHost } from '#runner';
import { changeField } from '../src/suite/kubescape/change-field.ts';
import { loadSuites } from '../src/suite/load-suite.ts';
import { suiteReport } from '../src/suite/report-suites.ts';
import { runSuite } from '../src/suite/run-suite.ts';
import type { CaseResult } from '../src/suite/suite.ts';
import { AssayProcess } from './assay-process.ts';
import { Folder } from './suite-fixture.ts';

const host = new EngineHost({ threads: 1 });
beforeAll(() => host.start());
afterAll(() => host.stop());

async function results(files: Readonly<Record<string, string>>, options: object = {}): Promise<CaseResult[]> {
  using folder = new Folder(files);
  const checked = checkOptions(options);
  if (!checked.ok) throw new Error(checked.status.message);
  const found: CaseResult[] = [];
  for (const loaded of loadSuites([folder.path])) for await (const result of runSuite(loaded, checked.value, host)) found.push(result);
  return found;
}

/** Name and end of each case. */
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

describe('tests of kubescape', () => {
  const FILES = {
    'controls/X-1/policy.yaml': `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: trusted-images}
spec:
  paramKind: {apiVersion: limits.example.com/v1, kind: Limits}
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE]}]}
  validations:
  - {expression: "object.spec.containers.all(c, c.image.startsWith(params.settings.registry))", message: not trusted}
`,
    'test-resources/pod.yaml': pod('p'),
    'test-resources/policy-binding.yaml': `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: placeholder}
spec: {policyName: placeholder, validationActions: [Deny], paramRef: {name: placeholder, parameterNotFoundAction: Deny}}
`,
    'test-resources/policy-binding-warn.yaml': `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: placeholder}
spec: {policyName: placeholder, validationActions: [Warn], paramRef: {name: placeholder, parameterNotFoundAction: Deny}}
`,
    'test-resources/default-control-configuration.yaml': `
apiVersion: limits.example.com/v1
kind: Limits
metadata: {name: placeholder}
settings: {registry: registry.example.com/}
`,
    'configuration/policy-configuration-definition.yaml': `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: limits.limits.example.com}
spec:
  group: limits.example.com
  scope: Cluster
  names: {plural: limits, singular: limits, kind: Limits, listKind: LimitsList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
`,
  };
  const tests = [
    { name: 'fits', template: 'pod.yaml', expected: 'pass' },
    { name: 'blocked', template: 'pod.yaml', expected: 'fail', field_change_list: ['spec.containers.[0].image=evil.example.org/web:1'] },
    { name: 'not blocked', template: 'pod.yaml', expected: 'fail' },
    {
      name: 'warned of',
      template: 'pod.yaml',
      expected: 'warn',
      binding_template: 'policy-binding-warn.yaml',
      field_change_list: ['spec.containers.[1].name=second', 'spec.containers.[1].image=evil.example.org/web:1'],
    },
    { name: 'of another sort', template: 'pod.yaml', expected: 'perhaps' },
  ];

  it('say of each test how it ends, under the binding and the parameter that it names', async () => {
    const found = await results({ ...FILES, 'controls/X-1/tests.json': JSON.stringify(tests) });
    expect(ends(found)).toEqual([
      ['fits', 'passed'],
      ['blocked', 'passed'],
      ['not blocked', 'expected a denial, but the request is allowed'],
      ['of another sort', expect.stringMatching(/^not supported: expected is "perhaps"/)],
      ['warned of', 'passed'],
    ]);
    expect(found[0]).toMatchObject({ suite: 'X-1', line: 1 });
  });

  it.each([
    ['a.b=1', '{"a":{"b":1}}'],
    ['a.[1].c=x: y', '{"a":[null,{"c":"x: y"}]}'],
    ['a={"b":[true]}', '{"a":{"b":[true]}}'],
    ['__proto__x.__proto__=1', 'is no name of a field'],
    ['a.[99999]=1', 'at most 10000 elements'],
    ['a=1=2', 'is not FIELD=VALUE'],
    ['s.t=1', 'there is no object'],
    ['s.[0]=1', 'there is no list'],
  ])('change a field: %s', (change, expected) => {
    const reading = readJson('{"s":"text"}');
    const object = (reading.ok ? reading.value : {}) as JsonObject;
    const problem = changeField(object, change);
    delete object['s'];
    expect(problem ?? JSON.stringify(object)).toContain(expected);
  });
});

describe('suites of gator', () => {
  const template = (engine: string): string => `
apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: {name: k8sfewcontainers}
spec:
  crd: {spec: {names: {kind: K8sFewContainers}}}
  targets:
  - target: admission.k8s.gatekeeper.sh
    code:
    - engine: ${engine}
      source:
        variables: [{name: containers, expression: variables.anyObject.spec.containers}]
        validations:
        - {expression: "variables.containers.size() <= variables.params.most", messageExpression: "'more than ' + string(variables.params.most)"}
        - {expression: "variables.containers.all(c, c.image.contains(':'))", message: an image without a tag}
`;
  const constraint = (match: string): string => `
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: K8sFewContainers
metadata: {name: one-container}
spec: {match: ${match}, parameters: {most: 1}}
`;
  const two = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'two', namespace: 'shop' },
    spec: {
      containers: [
        { name: 'a', image: 'a' },
        { name: 'b', image: 'b' },
      ],
    },
  });
  const SUITE = `
kind: Suite
apiVersion: test.gatekeeper.sh/v1alpha1
metadata: {name: few}
tests:
- name: pods
  template: template.yaml
  constraint: constraint.yaml
  cases:
  - {name: one, object: one.yaml, assertions: [{violations: no}]}
  - {name: two, object: two.yaml, assertions: [{violations: yes}, {violations: 2}, {violations: 1, message: "^more than \\\\d$"}, {message: tag}]}
  - {name: wrongly, object: two.yaml, assertions: [{violations: 1}]}
  - {name: other words, object: two.yaml, assertions: [{message: nowhere}]}
  - {name: nothing asserted, object: two.yaml}
  - {name: left out, object: two.yaml, skip: true, assertions: [{violations: no}]}
- name: elsewhere
  template: template.yaml
  constraint: elsewhere.yaml
  cases: [{name: two, object: two.yaml, assertions: [{violations: no}]}]
- {name: wrong, template: template.yaml, constraint: constraint.yaml, invalid: true}
- name: rego
  template: rego.yaml
  constraint: constraint.yaml
  cases: [{name: two, object: two.yaml, assertions: [{violations: yes}]}]
`;
  const FILES = {
    'suite.yaml': SUITE,
    'template.yaml': template('K8sNativeValidation'),
    'rego.yaml': template('Rego'),
    'constraint.yaml': constraint('{kinds: [{apiGroups: [""], kinds: [Pod]}], namespaces: ["sh*", default]}'),
    'elsewhere.yaml': constraint('{excludedNamespaces: [shop]}'),
    'one.yaml': pod('one'),
    'two.yaml': two,
  };

  it('count the violations of the policy that Gatekeeper makes of template and constraint', async () => {
    const found = await results(FILES);
    expect(ends(found)).toEqual([
      ['pods: one', 'passed'],
      ['pods: two', 'passed'],
      ['pods: wrongly', 'expected exactly 1 of violations, got 2: ["more than 1","an image without a tag"]'],
      ['pods: other words', expect.stringContaining('expected at least one like "nowhere" of violations, got 0')],
      ['pods: nothing asserted', 'the case asserts nothing'],
      ['pods: left out', 'not supported: the suite skips it'],
      ['elsewhere: two', 'passed'],
      ['wrong: invalid', expect.stringContaining('not supported: whether a constraint fits')],
      ['rego: two', 'not supported: the template k8sfewcontainers is not written in CEL (K8sNativeValidation)'],
    ]);
    expect(found[1]?.line).toBe(11);
  });
});

describe('tests of kyverno', () => {
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

  it('hold the admission policies that Kyverno generates against the table', async () => {
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

  it('compare what a mutation makes of a resource, where mutating policies are in force', async () => {
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

  it('look at users, and at Namespaces given by values; a binding that only audits is no pass', async () => {
    const row = { policy: 'in-teams', kind: 'Pod', resources: ['bad'] };
    const values = { variables: 'values.yaml' };
    expect(ends(await results(test([{ ...row, result: 'fail' }], values)))[0]?.[1]).toBe('passed');
    expect(ends(await results(test([{ ...row, result: 'pass' }], { ...values, userinfo: 'user.yaml' })))[0]?.[1]).toBe('passed');
    expect(ends(await results(test([{ ...row, result: 'skip' }])))[0]?.[1]).toBe('passed');
  });

  it('are not supported with exceptions, nor where nothing is expected', async () => {
    const row = { policy: 'tagged', resources: ['good'], result: 'pass' };
    expect(ends(await results(test([row], { exceptions: ['e.yaml'] })))[0]?.[1]).toBe('not supported: PolicyExceptions');
    expect(ends(await results(test([])))[0]?.[1]).toContain('not supported: the test has no results');
  });

  it.each([
    ['userinfo: user.yaml', { 'user.yaml': 'userInfo: {username: [1]}' }, /user\.yaml: .*username/],
    ['variables: values.yaml', { 'values.yaml': 'namespaceSelector: 7' }, /values\.yaml: .*namespaceSelector/],
    ['resources: [none.yaml]', {}, /none\.yaml: no such file/],
    ['results: 7', {}, /not a suite: .*results/],
  ])('are refused where they cannot be read: %s', (line, files, problem) => {
    using folder = new Folder({
      'kyverno-test.yaml': `apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\n${line}\n${line.startsWith('results') ? '' : 'results: [{policy: p, result: pass}]'}`,
      ...files,
    });
    expect(() => loadSuites([folder.path])).toThrow(problem);
  });

  it('never count what is not supported as passed', async () => {
    using folder = new Folder(test([{ policy: 'old', resources: ['good'], result: 'pass' }]));
    const run = new AssayProcess(['test', folder.path]);
    expect([await run.ended, run.stdout]).toEqual([
      1,
      expect.stringContaining('Summary: 1 cases - Passed: 0, Failed: 0, Not supported: 1'),
    ]);
    const found = await results(test([{ policy: 'old', resources: ['good'], result: 'pass' }]));
    expect(suiteReport('junit', found)).toMatch(/tests="1" failures="0" errors="0" skipped="1"[^]*<skipped message="no admission policy/);
    expect(JSON.parse(suiteReport('sarif', found))).toMatchObject({ runs: [{ results: [{ kind: 'notApplicable', level: 'none' }] }] });
    expect(suiteReport('github', found)).toMatch(/^::warning .*::not supported: no admission policy/);
  });
});
