import { latestServer } from '#kube';
import { describe, expect, it } from 'vitest';
import { json, requestOf } from '../testing/admission-fixture.ts';
import { helpfulChanges } from './policy-helps.ts';
import type { PolicySubject } from './multiply-policy.ts';

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', namespace: 'default' },
  spec: { selector: {}, template: { spec: { containers: ['a', 'b', 'c'].map((name) => ({ name, image: `registry/${name}` })) } } },
};
const sample = { request: requestOf({ object: DEPLOYMENT }), server: latestServer(), authorizer: [] };

interface Written {
  readonly spec: object;
  readonly bindings?: readonly object[];
  readonly resources?: readonly string[];
}

function subjectOf({ spec, bindings = [{}], resources = ['deployments'] }: Written): PolicySubject {
  const rules = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources }];
  return {
    policy: json({
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'p' },
      spec: { matchConstraints: { resourceRules: rules }, ...spec },
    }),
    bindings: bindings.map((own, i) =>
      json({
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: `b${i}` },
        spec: { policyName: 'p', validationActions: ['Deny'], ...own },
      }),
    ),
    cluster: [],
    definitions: [],
  };
}

const changesOf = (written: Written) =>
  [...helpfulChanges(subjectOf(written), sample, undefined)].map(({ change, text, before, after }) => ({
    change,
    text,
    costs: [before.probe.cost, after.probe.cost],
    bindings: [before.facts.bindings, after.facts.bindings],
  }));

const IMAGES = 'object.spec.template.spec.containers.map(c, c.image)';
const inNamespace = (name: string) => ({ matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } } });

describe('a suggestion that makes a policy cheaper', () => {
  it('replaces many bindings that are equal by one', () => {
    const spec = { validations: [{ expression: `${IMAGES}.size() > 0` }] };
    const found = changesOf({ spec, bindings: [{}, {}, {}, {}] }).find(({ change }) => change === 'merge-bindings');
    expect(found?.bindings).toEqual([4, 1]);
    expect(found?.costs[0]).toBe(4 * (found?.costs[1] ?? 0));
  });

  it('replaces bindings for single namespaces by a binding that names several namespaces', () => {
    const spec = { validations: [{ expression: 'true' }] };
    const found = changesOf({ spec, bindings: ['default', 'shop', 'web'].map(inNamespace) });
    expect(found.find(({ change }) => change === 'merge-bindings')).toMatchObject({
      text: 'one binding with a namespaceSelector in the place of 3 bindings',
      bindings: [3, 1],
    });
  });

  it.each([
    ['different actions', [{ validationActions: ['Warn'] }, {}]],
    ['different parameters', [{ paramRef: { name: 'a' } }, { paramRef: { name: 'b' } }]],
    ['a selector of another form', [inNamespace('default'), {}]],
  ])('merges no bindings with %s', (_, bindings) => {
    const spec = { validations: [{ expression: 'true' }] };
    expect(changesOf({ spec, bindings }).filter(({ change }) => change === 'merge-bindings')).toEqual([]);
  });

  it('merges no bindings of a mutating policy that changes the object once for each binding', () => {
    const appending = (value: string): PolicySubject => {
      const { policy, bindings, ...rest } = subjectOf({ spec: {}, bindings: [{}, {}] });
      const jsonPatch = { expression: `[JSONPatch{op: 'add', path: '/metadata/labels', value: ${value}}]` };
      const spec = Object.assign({}, policy['spec'], { reinvocationPolicy: 'Never', mutations: [{ patchType: 'JSONPatch', jsonPatch }] });
      const written = { ...policy, kind: 'MutatingAdmissionPolicy', spec };
      return { ...rest, policy: json(written), bindings: bindings.map((one) => json({ ...one, kind: 'MutatingAdmissionPolicyBinding' })) };
    };
    const merged = (value: string) =>
      [...helpfulChanges(appending(value), sample, undefined)].filter(({ change }) => change === 'merge-bindings').length;
    expect(merged("{'a': 'b'}")).toBe(1);
    expect(merged("{'count': has(object.metadata.labels) ? object.metadata.labels['count'] + 'x' : ''}")).toBe(0);
  });

  it('moves a list that several validations compute into a variable', () => {
    const spec = { validations: [{ expression: `${IMAGES}.size() > 0` }, { expression: `${IMAGES}.all(i, i != '')` }] };
    const found = changesOf({ spec }).find(({ change }) => change === 'share-by-variable');
    expect(found?.text).toBe(`a variable for ${IMAGES}, which 2 places compute`);
    expect(found?.costs[1]).toBeLessThan(found?.costs[0] ?? 0);
  });

  it('moves no expression into a variable if the expression uses the variable of a loop', () => {
    const spec = {
      validations: [
        { expression: "object.spec.template.spec.containers.all(c, c.image.split('/').size() > 1 || c.image.split('/').size() > 0)" },
      ],
    };
    expect(changesOf({ spec }).filter(({ text }) => text.includes('a variable for c.image'))).toEqual([]);
  });

  it('adds a match condition or narrower constraints for requests that need no check', () => {
    const spec = { validations: [{ expression: "object.metadata.name.size() > 0 && object.metadata.name.startsWith('')" }] };
    const found = changesOf({ spec, resources: ['*'] });
    const refused = found.find(({ change }) => change === 'refuse-first');
    const narrow = found.find(({ change }) => change === 'narrow-constraints');
    expect(refused?.costs[1]).toBeLessThan(refused?.costs[0] ?? 0);
    expect(narrow?.costs[0]).toBeGreaterThan(0);
    expect(narrow?.costs[1]).toBe(0);
  });

  it('is not given if a request would then no longer be refused', () => {
    const spec = { validations: [{ expression: `${IMAGES}.size() > 5` }] };
    expect(changesOf({ spec, resources: ['*'] })).toEqual([]);
  });
});
