import { Cancelled } from '#go';
import { describe, expect, it } from 'vitest';
import { admitted, configMap } from '../testing/admission-fixture.ts';
import { compilePolicies } from './compiled-policy.ts';
import type { AdmissionFixture } from '../testing/admission-fixture.ts';
import { PolicyWarnings } from './admit.ts';

const message = (fixture: AdmissionFixture): string | undefined =>
  admitted(fixture).refusal?.message.replace(
    /^configmaps "c" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: /,
    '',
  );
const no = { expression: 'false' };
const OVER = 'validation failed due to running out of cost budget, no further validation rules will be run';

describe('the refusal of a request by a policy', () => {
  it("has the server's status", () => {
    expect(admitted({ spec: { validations: [{ ...no, message: ' Not so. ', reason: 'Forbidden' }] } }).refusal).toEqual({
      code: 403,
      reason: 'Forbidden',
      message: `configmaps "c" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: Not so.`,
      causes: [`ValidatingAdmissionPolicy 'p' with binding 'b' denied request: Not so.`],
    });
  });

  it.each<[what: string, validation: Record<string, unknown>, expected: string]>(
    [
      ['the message', { message: 'm' }, 'm'],
      ['the expression without a message', {}, 'failed expression: false'],
      ['what messageExpression gives', { message: 'm', messageExpression: "'name ' + object.metadata.name" }, 'name c'],
      ['the message where the expression fails', { message: 'm', messageExpression: 'string(object.data.x)' }, 'm'],
      ['the message where the expression gives lines', { message: 'm', messageExpression: "'a\\nb'" }, 'm'],
      ['the message where the expression gives nothing', { message: 'm', messageExpression: "' '" }, 'm'],
      ['the message where the expression gives too much', { message: 'm', messageExpression: "'x'.replace('', '%')" }, 'x%x'],
    ].slice(0, 6) as [string, Record<string, unknown>, string][],
  )('shows %s', (_, validation, expected) => {
    expect(message({ spec: { validations: [{ ...no, ...validation }] } })).toBe(expected);
  });

  it('comes from the first of several failing validations', () => {
    expect(
      message({
        spec: {
          validations: [
            { ...no, message: 'one' },
            { ...no, message: 'two' },
          ],
        },
      }),
    ).toBe('one');
  });
});

describe('errors of a policy', () => {
  const failing = { validations: [{ expression: 'object.spec.x == 1' }] };
  it.each<[what: string, spec: Record<string, unknown>, expected: string | undefined]>([
    ['refuse the request', failing, "expression 'object.spec.x == 1' resulted in error: no such key: spec"],
    ['do not refuse the request if failurePolicy is Ignore', { ...failing, failurePolicy: 'Ignore' }, undefined],
    [
      'of compilation refuse the request',
      { validations: [{ expression: 'object.x' }] },
      'compilation error: must evaluate to bool but got dyn',
    ],
    [
      'of variables name the variable',
      { variables: [{ name: 'v', expression: 'object.spec.x' }], validations: [{ expression: 'variables.v == 1' }] },
      `expression 'variables.v == 1' resulted in error: composited variable "v" fails to evaluate: no such key: spec`,
    ],
    ['of unknown kinds of parameters name the kind', { paramKind: { apiVersion: 'x/v1', kind: 'Y' } }, undefined],
  ])('%s', (what, spec, expected) => {
    if (what.startsWith('of unknown'))
      expect(admitted({ spec: { ...spec, validations: [no] } }).refusal?.message).toBe(
        `configmaps "c" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'x/v1, Kind=Y'`,
      );
    else expect(message({ spec })).toBe(expected);
  });
});

describe('the match conditions of a policy', () => {
  const conditions = (...expressions: readonly string[]) => ({
    matchConditions: expressions.map((expression, i) => ({ name: `c${i}`, expression })),
    validations: [no],
  });
  it.each<[what: string, spec: Record<string, unknown>, expected: string | undefined]>([
    ['that hold', conditions('true', 'object != null'), 'failed expression: false'],
    ['of which one is false and another fails', conditions('object.x.y == 1', 'false'), undefined],
    ['that fail', conditions('object.x == 1', 'true'), "expression 'object.x == 1' resulted in error: no such key: x"],
    ['that fail while failurePolicy is Ignore', { ...conditions('object.x == 1'), failurePolicy: 'Ignore' }, undefined],
    ['that read namespaceObject, which is null', conditions('namespaceObject == null'), 'failed expression: false'],
  ])('lead to the answer of a server: conditions %s', (_, spec, expected) => {
    expect(message({ spec })).toBe(expected);
  });
});

describe('a binding of a policy', () => {
  const spec = { validations: [{ ...no, message: 'm' }], auditAnnotations: [{ key: 'k', valueExpression: "'v'" }] };
  it.each<[actions: readonly string[], refused: boolean, warnings: readonly string[], annotations: readonly string[]]>([
    [['Deny'], true, [], ['p/k']],
    [['Warn'], false, [`Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': m`], ['p/k']],
    [['Audit'], false, [], ['p/k', 'validation.policy.admission.k8s.io/validation_failure']],
  ])(
    'with the actions %j refuses, warns or adds audit annotations as a server does',
    (validationActions, refused, warnings, annotations) => {
      const verdict = admitted({
        spec: { ...spec, auditAnnotations: [{ key: 'p', valueExpression: 'null' }, ...spec.auditAnnotations] },
        binding: { validationActions },
      });
      expect([verdict.refusal !== undefined, verdict.warnings, [...verdict.auditAnnotations.keys()].sort()]).toEqual([
        refused,
        warnings,
        annotations,
      ]);
    },
  );

  it('with the single action Warn still refuses a request if an audit annotation fails', () => {
    const broken = { auditAnnotations: [{ key: 'k', valueExpression: 'string(object.x)' }] };
    expect(message({ spec: broken, binding: { validationActions: ['Warn'] } })).toBe(
      "expression 'string(object.x)' resulted in error: no such key: x",
    );
  });

  it.each<[param: string | undefined, expected: string | undefined]>([
    ['prod', 'at most 1'],
    ['missing', 'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction'],
    [undefined, "expression 'object.data.size() <= int(params.data.max)' resulted in error: no such key: data"],
  ])("with the parameter %s (undefined: no paramRef) gives the server's answer", (name, expected) => {
    const limit = { expression: 'object.data.size() <= int(params.data.max)', messageExpression: "'at most ' + params.data.max" };
    const fixture = {
      spec: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations: [limit] },
      binding: name === undefined ? {} : { paramRef: { name, parameterNotFoundAction: 'Deny' } },
      params: [{ ...configMap({ max: '1' }), metadata: { name: 'prod' } }],
      request: { object: configMap({ a: '', b: '' }) },
    };
    expect(message(fixture)).toBe(expected);
  });
});

describe('the cost of policies', () => {
  const variables = [{ name: 'n', expression: 'object.data.size()' }];
  const request = { object: configMap({ a: 'x', b: 'y' }) };
  const validations = [{ expression: 'variables.n == 1 && variables.n < 2', messageExpression: "'n is ' + string(variables.n)" }];

  it('counts a variable once for each list of expressions that uses it', () => {
    const { policies } = admitted({ spec: { variables: [...variables, { name: 'idle', expression: '1 + 1' }], validations }, request });
    const [run] = policies[0]!.bindings[0]!.runs;
    expect(run!.evaluations.map(({ part, for: by, cost }) => [part, by, cost])).toEqual([
      ['variable', 'validation', 3],
      ['validation', undefined, 3],
      ['variable', 'messageExpression', 3],
      ['messageExpression', undefined, 4],
    ]);
  });

  it.each<[budget: number, expected: string | undefined]>([
    [5, OVER],
    [6, `failed messageExpression: ${OVER}`],
    [100, 'n is 2'],
  ])("under a budget of %i units leads to the server's answer", (budget, expected) => {
    expect(message({ spec: { variables, validations }, request, budget })).toBe(expected);
  });

  it('allows two authorizer checks per expression, but not three', () => {
    const ask = "authorizer.group('').resource('pods').check('get').allowed()";
    const authorizer = [{ verb: 'get', decision: 'allow' }] as const;
    expect(message({ spec: { validations: [{ expression: `${ask} && ${ask}` }] }, authorizer })).toBe(undefined);
    const thrice = `${ask} && ${ask} && ${ask}`;
    expect(message({ spec: { validations: [{ expression: thrice }] }, authorizer })).toBe(
      `expression '${thrice}' resulted in error: operation cancelled: actual cost limit exceeded`,
    );
    expect(message({ spec: { validations: [{ expression: thrice }] }, authorizer, minor: '1.31' })).toBe(undefined);
  });
});

it('policies are not evaluated for access reviews', () => {
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: { name: 'x' }, spec: {} };
  expect(admitted({ spec: { validations: [no] }, request: { object: review } })).toMatchObject({ refusal: undefined, policies: [] });
});

it('a request to a missing namespace is rejected with the message of the Kubernetes version', () => {
  const request = { object: configMap(), namespace: 'gone' };
  expect(admitted({ spec: { validations: [no], failurePolicy: 'Ignore' }, request }).refusal).toMatchObject({
    code: 404,
    message: 'namespaces "gone" not found',
  });
  expect(admitted({ spec: { validations: [no] }, request, minor: '1.30' }).refusal?.message).toBe('namespace "gone" not found');
});

it('evaluation throws if the caller cancels it, even if policies ignore errors', () => {
  const validations = [{ expression: 'true' }];
  expect(() => admitted({ spec: { validations, failurePolicy: 'Ignore' }, token: { cancelled: true } })).toThrow(Cancelled);
});

it('compilation throws if the caller cancels it', () => {
  const compile = (): unknown => compilePolicies([{}], [], { minor: '1.37', engine: undefined, token: { cancelled: true } });
  expect(compile).toThrow(Cancelled);
});

const sent = (...texts: readonly string[]): readonly string[] => {
  const warnings = new PolicyWarnings();
  for (const text of texts) warnings.add(text);
  return warnings.sent;
};
const long = (first: string, size: number): string => first + 'x'.repeat(size - 1);

it.each<[what: string, texts: readonly string[], expected: readonly string[]]>([
  ['once each', ['a', 'b', 'a', ''], ['a', 'b']],
  ['not with line breaks', ['a\nb', 'c'], ['c']],
  ['whole up to 4096 code points', [long('a', 4000), long('b', 96)], [long('a', 4000), long('b', 96)]],
  ['cut to 256 each beyond', [long('a', 4000), long('b', 97), long('c', 300)], [long('a', 256), long('b', 97), long('c', 256)]],
  ['cut by code points, not by halves of them', ['😀'.repeat(4097)], ['😀'.repeat(256)]],
])('warnings are sent %s', (_, texts, expected) => {
  expect(sent(...texts)).toEqual(expected);
});

it('no more warnings are sent after the limit for shortened warnings is reached', () => {
  expect(sent(...Array.from({ length: 40 }, (_, i) => long(`${i} `, 300)))).toHaveLength(16);
});
