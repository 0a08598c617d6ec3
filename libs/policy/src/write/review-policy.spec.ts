import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CancellationFlag, Cancelled } from '#go';
import { describe, expect, it } from 'vitest';
import { json } from '../testing/admission-fixture.ts';
import { reviewPolicy } from './review-policy.ts';

interface RecordedWrite {
  readonly object: Record<string, unknown>;
  /** Message in the Status of the server. Empty if the object was stored. */
  readonly message: string;
}

const GROUP = 'admissionregistration.k8s.io';
const rule = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] };
const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }];
const mutating = (spec: object, apiVersion = `${GROUP}/v1`) =>
  json({
    apiVersion,
    kind: 'MutatingAdmissionPolicy',
    metadata: { name: 'm' },
    spec: { matchConstraints: { resourceRules: [rule] }, reinvocationPolicy: 'Never', mutations, ...spec },
  });

describe('the write of a policy', () => {
  const file = join(import.meta.dirname, 'recorded-writes.jsonl');
  const recorded = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedWrite);

  it(`gets the recorded answers of Kubernetes 1.37 (generate/writes): ${recorded.length} policies and bindings`, () => {
    const answers = recorded.map(({ object }) => reviewPolicy(json(object), { minor: '1.37' })?.refusal?.message ?? '');
    expect(answers).toEqual(recorded.map(({ message }) => message));
    expect(answers.filter((message) => message !== '').length).toBeGreaterThan(100);
  });

  it.each([
    ['1.33', 'name is not a valid CEL identifier'],
    ['1.34', 'must be a valid CEL identifier'],
  ] as const)('gets the wording of %s in its errors', (minor, words) => {
    const policy = json({
      apiVersion: `${GROUP}/v1`,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'p' },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        variables: [{ name: 'in', expression: '1' }],
        validations: [{ expression: 'true' }],
      },
    });
    expect(reviewPolicy(policy, { minor })?.refusal?.message).toContain(`spec.variables[0].name: Invalid value: "in": ${words}`);
  });

  it('gets decoding errors and warnings like any object', () => {
    expect(reviewPolicy(mutating({ mutatoins: [] }), { minor: '1.37' })).toMatchObject({
      refusal: undefined,
      warnings: ['unknown field "spec.mutatoins"'],
    });
    expect(reviewPolicy(mutating({ failurePolicy: 1 }), { minor: '1.37' })?.refusal).toMatchObject({
      code: 400,
      message: expect.stringContaining('cannot unmarshal number into Go struct field') as string,
    });
  });

  it('is rejected by a version without this kind of policy', () => {
    expect(reviewPolicy(mutating({}), { minor: '1.33' })?.refusal).toMatchObject({ code: 404 });
    expect(reviewPolicy(mutating({}, `${GROUP}/v1alpha1`), { minor: '1.33' })?.refusal).toBeUndefined();
  });

  it('stops when it is cancelled', () => {
    const token = new CancellationFlag();
    token.cancel();
    expect(() => reviewPolicy(mutating({}), { minor: '1.37', token })).toThrow(Cancelled);
  });
});
