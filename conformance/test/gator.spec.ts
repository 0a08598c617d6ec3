import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultContext } from '../src/case-context.ts';
import { judgeCase } from '../src/judge-case.ts';
import { gatorCases, readGatorSuite } from '../src/policy/gatekeeper/gator-cases.ts';
import { judgeViolations } from '../src/policy/gatekeeper/judge-violations.ts';

const pod = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1' }] },
  });

describe('test suites of the Gatekeeper command gator', () => {
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

  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-gator-'));
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('count the violations of the policy that Gatekeeper generates from a template and a constraint', () => {
    const file = join(folder, 'suite.yaml');
    const suite = readGatorSuite(file);
    if (suite === undefined) throw new Error('no suite');
    const ends = gatorCases(file, suite).map((one) => [
      one.id.slice(file.length + 1),
      'notSupported' in one
        ? `not supported: ${one.notSupported}`
        : (judgeViolations(judgeCase(one.requested, defaultContext('1.37')), one.assertions) ?? 'passed'),
    ]);
    expect(ends).toEqual([
      ['pods: one', 'passed'],
      ['pods: two', 'passed'],
      ['pods: wrongly', 'expected exactly 1 of violations, got 2: ["more than 1","an image without a tag"]'],
      ['pods: other words', expect.stringContaining('expected at least one like "nowhere" of violations, got 0')],
      ['pods: nothing asserted', 'the case asserts nothing'],
      ['pods: left out', 'not supported: the suite skips it'],
      ['elsewhere: two', 'passed'],
      ['wrong: invalid', 'not supported: the schema of a template is not judged'],
      ['rego: two', 'not supported: the template is not written in CEL (K8sNativeValidation)'],
    ]);
  });

  it('are distinguished from other YAML files', () => {
    expect(readGatorSuite(join(folder, 'template.yaml'))).toBeUndefined();
  });
});
