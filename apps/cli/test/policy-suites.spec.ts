import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkOptions } from '#documents';
import { EngineHost } from '#runner';
import { lacking, caseCount, filesOf, loadSuites } from '../src/suite/load-suite.ts';
import { runSuite } from '../src/suite/run-suite.ts';
import { UsageError } from '../src/usage.ts';
import { withoutProgress } from './assay-process.ts';
import { runAssay } from '../../../testing/run-assay.ts';
import { Folder } from './suite-fixture.ts';

const host = new EngineHost({ threads: 1 });
beforeAll(() => host.start());
afterAll(() => host.stop());

const POLICIES = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: small}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: ["*"]}]}
  validations:
  - {expression: "request.operation == 'DELETE' || object.data.size() < 3", message: too large}
  - {expression: "request.userInfo.username != 'eve'", message: not eve}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: small}
spec: {policyName: small, validationActions: [Deny, Warn]}
`;
const suiteOf = (cases: string, more = ''): string => `name: config maps\npolicies: [policies.yaml]\n${more}\ncases:\n${cases}`;
const map = (size: number): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'm' },
    data: Object.fromEntries(Array.from({ length: size }, (_, i) => [`k${i}`, 'v'])),
  });

async function problems(
  suite: string,
  files: Readonly<Record<string, string>> = { 'policies.yaml': POLICIES },
): Promise<Record<string, string>> {
  using folder = new Folder({ 'suite.yaml': suite, ...files });
  const options = checkOptions({});
  if (!options.ok) throw new Error(options.status.message);
  const found: Record<string, string> = {};
  for (const loaded of await loadSuites([folder.path], host))
    for await (const { name, line, problem = 'ok' } of runSuite(loaded, options.value, host)) found[`${line ?? ''} ${name}`] = problem;
  return found;
}

describe('a suite of policies', () => {
  it('reports for each case whether its result is as expected, with its position in the file', async () => {
    const cases = [
      `- {name: fits, object: ${map(2)}, expect: allowed, warnings: []}`,
      `- {name: wrongly denied, object: ${map(3)}, expect: allowed}`,
      `- {name: wrongly allowed, object: ${map(2)}, expect: denied}`,
      `- {name: denied, object: ${map(3)}, expect: denied, message: too large, warnings: [too large]}`,
      `- {name: other words, object: ${map(3)}, expect: denied, message: too small}`,
      `- {name: fewer warnings, object: ${map(3)}, expect: denied, warnings: []}`,
      `- {name: a deletion, operation: DELETE, oldObject: ${map(9)}, expect: allowed}`,
      `- {name: eve, object: ${map(2)}, userInfo: {username: eve}, expect: denied, message: not eve}`,
      `- {name: stored otherwise, object: ${map(2)}, expect: allowed, mutated: {data: {k0: w}}}`,
      `- {name: not annotated, object: ${map(2)}, expect: allowed, auditAnnotations: {a/b: c}}`,
    ].join('\n');
    const found = await problems(suiteOf(cases));
    expect(Object.keys(found)[0]).toBe('5 fits');
    expect(Object.values(found)).toEqual([
      'ok',
      expect.stringContaining('denied: configmaps "m" is forbidden'),
      'expected a denial, but the request is allowed',
      'ok',
      expect.stringContaining('expected a denial with "too small", got: configmaps "m"'),
      expect.stringContaining('expected warnings with [], got: ["Validation failed'),
      'ok',
      'ok',
      'the stored object: expected data.k0 to be "w", but it is "v"',
      'audit annotations: expected a/b to be "c", but there is none',
    ]);
  });

  it('overrides the options of the command line', async () => {
    const cases = `- {name: eve, object: ${map(2)}, expect: denied}\n- {name: ann, object: ${map(2)}, userInfo: {username: ann}, expect: allowed}`;
    expect(Object.values(await problems(suiteOf(cases, 'userInfo: {username: eve}')))).toEqual(['ok', 'ok']);
    expect(Object.values(await problems(suiteOf(cases, 'kubernetesVersion: "1.12"')))[0]).toContain('kubernetesVersion');
  });

  it('reports that its files contain no policies', async () => {
    const found = await problems(suiteOf(`- {name: one, object: ${map(1)}, expect: allowed}`), { 'policies.yaml': map(1) });
    expect(Object.values(found)).toEqual(['the files of the suite hold no policies']);
  });

  it('names its files, counts its cases, and is rejected if it is invalid', async () => {
    using folder = new Folder({ 'suite.yaml': suiteOf(`- {name: one, object: ${map(1)}, expect: allowed}`), 'policies.yaml': POLICIES });
    const [loaded] = await loadSuites([folder.path], host);
    if (!loaded) throw new Error('no suite');
    expect([caseCount(loaded), filesOf(loaded)]).toEqual([1, [folder.file('policies.yaml')]]);
    folder.write('suite.yaml', suiteOf('- {name: one, expect: perhaps}'));
    await expect(loadSuites([folder.path], host)).rejects.toThrow(UsageError);
    folder.write('suite.yaml', suiteOf('- {name: one, expect: allowed}').replace('policies.yaml', 'none.yaml'));
    await expect(loadSuites([folder.path], host)).rejects.toThrow(/none\.yaml: no such file/);
  });
});

describe('a suite in an evaluated folder', () => {
  const suite = suiteOf(`- {name: one, object: ${map(1)}, expect: allowed}`);
  const evaluation = async (path: string): Promise<readonly unknown[]> => {
    const { status, stdout, stderr } = await runAssay(['evaluate', path]);
    return [status, stdout, withoutProgress(stderr)];
  };

  it('is skipped with a message that names assay test', async () => {
    using folder = new Folder({
      'policies.yaml': POLICIES.replace('[Deny, Warn]', '[Deny]'),
      'map.yaml': map(1),
      'suite.yaml': suite,
      'kyverno-test.yaml': 'kind: ConfigMap',
    });
    const [status, stdout, stderr] = await evaluation(folder.path);
    expect([status, stderr]).toEqual([1, `assay: left out, for \`assay test\` to run: ${folder.file('suite.yaml')}\n`]);
    // This file has the name of a suite but contains an object, so it is evaluated.
    expect(stdout).toContain('Summary: 2 objects');
    folder.write('kyverno-test.yaml', map(2));
    expect((await evaluation(folder.path))[0]).toBe(0);
  });
});

describe('the comparison of an expected part with an object', () => {
  it.each([
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2, c: 3 }], d: 4 }, undefined],
    [{ a: [1] }, { a: [1, 2] }, 'it: expected a to be [1], but it is [1,2]'],
    [{ a: { b: 1 } }, { a: {} }, 'it: expected a.b to be 1, but there is none'],
    [{ a: [{ b: null }] }, { a: [{ b: 0 }] }, 'it: expected a[0].b to be null, but it is 0'],
    [{}, undefined, 'it: expected {}, but there is none'],
  ])('finds the missing parts of %j in %j', (expected, found, problem) => {
    expect(lacking('it', expected, found)).toBe(problem);
  });
});
