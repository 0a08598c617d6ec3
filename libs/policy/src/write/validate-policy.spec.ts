import { fieldErrorText } from '#kube';
import { describe, expect, it } from 'vitest';
import { json } from '../testing/admission-fixture.ts';
import { validateBinding, missingFieldErrors } from './review-policy.ts';
import { validatePolicy } from './validate-policy.ts';

const rule = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] };
const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] };
const policy = (change: Record<string, unknown>, name = 'p.example.com') => json({ metadata: { name }, spec: { ...spec, ...change } });
const refused = (change: Record<string, unknown>, stored?: Record<string, unknown>) =>
  validatePolicy(policy(change), stored && policy(stored), { minor: '1.37' }).map(fieldErrorText);
const rules = (change: Record<string, unknown>) => ({ matchConstraints: { resourceRules: [{ ...rule, ...change }] } });

describe('the write of a policy', () => {
  it.each<[what: string, change: Record<string, unknown>, errors: readonly string[]]>([
    ['is accepted', {}, []],
    ['is rejected without matchConstraints', { matchConstraints: undefined }, ['spec.matchConstraints: Required value']],
    ['is rejected without resourceRules', { matchConstraints: {} }, ['spec.matchConstraints.resourceRules: Required value']],
    [
      'is rejected with an unknown failurePolicy',
      { failurePolicy: 'Maybe' },
      ['spec.failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"'],
    ],
    [
      'is rejected if it names operations beside "*"',
      rules({ operations: ['*', 'CREATE'] }),
      [
        `spec.matchConstraints.resourceRules[0].operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`,
      ],
    ],
    [
      'is rejected if it names a resource beside a pattern that includes the resource',
      rules({ resources: ['pods/*', 'pods/exec'] }),
      [
        `spec.matchConstraints.resourceRules[0].resources[1]: Invalid value: "pods/exec": if 'pods/*' is present, must not specify pods/exec`,
      ],
    ],
    [
      'is rejected without validations and audit annotations',
      { validations: [] },
      [
        'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
        'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
      ],
    ],
    [
      'is rejected if a validation does not give a bool',
      { validations: [{ expression: 'object.x' }] },
      ['spec.validations[0].expression: Invalid value: "object.x": must evaluate to bool but got dyn'],
    ],
    [
      'is rejected if a message has two lines, or if its reason is unknown',
      { validations: [{ expression: 'true', message: 'a\nb', reason: 'Sad' }] },
      [
        'spec.validations[0].message: Invalid value: "a\\nb": must not contain line breaks',
        'spec.validations[0].reason: Unsupported value: "Sad": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
      ],
    ],
    [
      'is rejected if the name of a variable is no identifier',
      { variables: [{ name: 'in', expression: '1' }] },
      ['spec.variables[0].name: Invalid value: "in": must be a valid CEL identifier'],
    ],
    [
      'is rejected if a match condition uses a variable',
      { variables: [{ name: 'x', expression: '1' }], matchConditions: [{ name: 'c', expression: 'variables.x == 1' }] },
      [
        "spec.matchConditions[0].expression: Invalid value: \"variables.x == 1\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')\n | variables.x == 1\n | ^",
      ],
    ],
    [
      'is rejected if two audit annotations have one key, or if one has no expression',
      {
        auditAnnotations: [
          { key: 'k', valueExpression: "'v'" },
          { key: 'k', valueExpression: '' },
        ],
      },
      [
        'spec.auditAnnotations[1].valueExpression: Required value: valueExpression is not specified',
        'spec.auditAnnotations[1].key: Duplicate value: "k"',
      ],
    ],
    [
      'is rejected if paramKind is invalid',
      { paramKind: { apiVersion: 'a/b/c', kind: '' } },
      ['spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c', 'spec.paramKind.kind: Required value'],
    ],
  ])('%s', (_, change, errors) => {
    expect(refused(change)).toEqual(errors);
  });

  it('may keep stored expressions that a new policy may not use, and invalid match conditions', () => {
    const late = { validations: [{ expression: '[3, 1].sortBy(x, x)[0] == 1' }], matchConditions: [{ name: 'c', expression: 'x' }] };
    const fresh = validatePolicy(policy(late), undefined, { minor: '1.34' }).map(({ field }) => field);
    expect(fresh).toEqual(['spec.matchConditions[0].expression', 'spec.validations[0].expression']);
    expect(validatePolicy(policy(late), policy(late), { minor: '1.34' })).toEqual([]);
  });
});

describe('the write of a binding', () => {
  const binding = { policyName: 'p', validationActions: ['Deny'] };
  it.each<[what: string, change: Record<string, unknown>, errors: readonly string[]]>([
    ['is accepted', {}, []],
    ['is rejected without a policy name', { policyName: '' }, ['spec.policyName: Required value']],
    ['is rejected without an action', { validationActions: [] }, ['spec.validationActions: Required value']],
    [
      'is rejected with both Deny and Warn',
      { validationActions: ['Deny', 'Warn'] },
      [
        'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ],
    ],
    [
      'is rejected if paramRef has both a name and a selector',
      { paramRef: { name: 'x', selector: {}, parameterNotFoundAction: 'Allow' } },
      [
        'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
        'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
      ],
    ],
    [
      'is rejected if paramRef has no parameterNotFoundAction',
      { paramRef: { name: 'x' } },
      ['spec.paramRef.parameterNotFoundAction: Required value'],
    ],
    [
      'is rejected if a selector has the operator In without values',
      { matchResources: { objectSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } } },
      [
        "spec.matchResources.objectSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      ],
    ],
  ])('%s', (_, change, errors) => {
    const document = json({ metadata: { name: 'b' }, spec: { ...binding, ...change } });
    expect([...validateBinding(document, '1.37'), ...missingFieldErrors(document, '1.37')].map(fieldErrorText)).toEqual(errors);
  });
});
