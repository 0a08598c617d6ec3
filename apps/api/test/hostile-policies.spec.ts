import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi } from './start-api.ts';
import { sampled } from '../../../testing/thorough.ts';

let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startApi());
});
afterAll(() => app.close());

const GROUP = 'admissionregistration.k8s.io/v1';
const matchConstraints = { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }] };
const metadata = { name: 'p' };

/** Returns a validating policy and its binding. */
const validating = (spec: object): object[] => [
  { apiVersion: GROUP, kind: 'ValidatingAdmissionPolicy', metadata, spec: { matchConstraints, ...spec } },
  { apiVersion: GROUP, kind: 'ValidatingAdmissionPolicyBinding', metadata, spec: { policyName: 'p', validationActions: ['Deny'] } },
];
const ruled = (expression: string, more: object = {}): object[] => validating({ validations: [{ expression }], ...more });
/** Returns a mutating policy and its binding. */
const mutating = (...expressions: readonly string[]): object[] => [
  {
    apiVersion: GROUP,
    kind: 'MutatingAdmissionPolicy',
    metadata,
    spec: {
      matchConstraints,
      reinvocationPolicy: 'IfNeeded',
      mutations: expressions.map((expression) =>
        expression.startsWith('Object')
          ? { patchType: 'ApplyConfiguration', applyConfiguration: { expression } }
          : { patchType: 'JSONPatch', jsonPatch: { expression } },
      ),
    },
  },
  { apiVersion: GROUP, kind: 'MutatingAdmissionPolicyBinding', metadata, spec: { policyName: 'p' } },
];

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', namespace: 'default' }, data: { a: 'b' } };
const ELEMENTS = `[${Array.from({ length: 300 }, (_, i) => i).join(',')}]`;
const nested = `${ELEMENTS}.all(a, ${ELEMENTS}.all(b, ${ELEMENTS}.all(c, a + b + c >= 0)))`;
/** Patch expression with many copy operations. Each copy makes the object about twice as large. */
const doubling = `[${Array.from({ length: 40 }, (_, i) => `JSONPatch{op: "copy", from: "/data", path: "/metadata/annotations/k${i}"}`).join(',')}]`;
const growing = `[${Array.from({ length: 24 }, (_, i) => `JSONPatch{op: "copy", from: "", path: "/x${i}"}`).join(',')}]`;

const HOSTILE: readonly (readonly [name: string, policies: readonly object[], outcome: RegExp, message: RegExp])[] = [
  ['a rule that loops three deep', ruled(nested), /rejected/, /cost limit exceeded|cost budget/],
  ['a rule of 200,000 brackets', ruled('('.repeat(100_000) + ')'.repeat(100_000)), /rejected/, /compil/],
  ['a rule of a megabyte', ruled(`'${'x'.repeat(1_000_000)}' == ''`), /rejected/, /compil|failed expression/],
  ['a pattern of many counts', ruled(`object.data.a.matches('${'[a-z]{0,1000}'.repeat(100)}')`), /accepted/, /^$/],
  [
    'variables that mean each other',
    ruled('variables.a == 1', {
      variables: [
        { name: 'a', expression: 'variables.b' },
        { name: 'b', expression: 'variables.a' },
      ],
    }),
    /rejected/,
    /variable/,
  ],
  [
    'a variable called __proto__',
    ruled('variables.__proto__ == 1', { variables: [{ name: '__proto__', expression: '1' }] }),
    /accepted|rejected/,
    /.*/,
  ],
  [
    'parameters of an unknown kind',
    ruled('true', { paramKind: { apiVersion: 'no.such/v1', kind: '__proto__' } }),
    /rejected/,
    /failed to find resource/,
  ],
  [
    'conditions that spend their budget',
    ruled('true', {
      matchConditions: Array.from({ length: 60 }, (_, i) => ({
        name: `c${i}`,
        expression: `${ELEMENTS}.all(a, ${ELEMENTS}.all(b, a + b >= 0))`,
      })),
    }),
    /rejected/,
    /budget|limit/,
  ],
  ['a patch of prototypes', mutating('[JSONPatch{op: "add", path: "/__proto__/polluted", value: "yes"}]'), /accepted|rejected/, /.*/],
  [
    'a patch of a constructor',
    mutating('[JSONPatch{op: "add", path: "/constructor/prototype/polluted", value: "yes"}]'),
    /accepted|rejected/,
    /.*/,
  ],
  [
    'a patch that copies again and again',
    mutating('[JSONPatch{op: "add", path: "/metadata/annotations", value: {}}]', doubling),
    /accepted|rejected/,
    /.*/,
  ],
  ['a patch that doubles the object', mutating(growing), /rejected/, /.*/],
  ['an object that is no object', mutating('Object{metadata: 1}'), /rejected/, /.*/],
  ['an object a thousand deep', mutating(`Object{data: ${'{"a": '.repeat(200)}"b"${'}'.repeat(200)}}`), /rejected/, /.*/],
  ['no bindings at all', ruled('false').slice(0, 1), /accepted/, /.*/],
];

interface Answer {
  readonly items: readonly { readonly outcome: string; readonly status?: { readonly message: string } }[];
}

async function evaluate(policies: readonly object[], options: object = {}): Promise<{ code: number; answer: Answer }> {
  const body = JSON.stringify({ policies, objects: [object], options });
  const response = await fetch(`${url}/evaluate`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return { code: response.status, answer: (await response.json()) as Answer };
}

describe('hostile policies', () => {
  it.each(sampled(HOSTILE, 3))(
    'get a response, and the service also evaluates the next request: %s',
    async (_, policies, outcome, message) => {
      const { code, answer } = await evaluate(policies, { deadline: '30s' });
      expect(code).toBe(200);
      expect(answer.items[0]?.outcome).toMatch(outcome);
      expect(answer.items[0]?.status?.message ?? '').toMatch(message);
      expect('polluted' in {}).toBe(false);
      expect((await evaluate(ruled('object.data.a == "b"'))).answer.items).toMatchObject([{ outcome: 'accepted' }]);
    },
  );

  it('are rejected if their text exceeds the limit of a batch', async () => {
    const long = ruled('true').map((policy) => ({ ...policy, data: 'x'.repeat(5 * 1024 * 1024) }));
    expect(await evaluate(long)).toMatchObject({ code: 413, answer: { reason: 'RequestEntityTooLarge' } });
  });

  it('stop at the deadline of the request', async () => {
    const validations = Array.from({ length: 200 }, () => ({
      expression: `${ELEMENTS}.all(a, ${ELEMENTS}.all(b, 'x'.matches('y*') || true))`,
    }));
    const many = Array.from({ length: 15 }, (_, i) => {
      const named = { name: `p${i}` };
      return [
        { apiVersion: GROUP, kind: 'ValidatingAdmissionPolicy', metadata: named, spec: { matchConstraints, validations } },
        {
          apiVersion: GROUP,
          kind: 'ValidatingAdmissionPolicyBinding',
          metadata: named,
          spec: { policyName: named.name, validationActions: ['Audit'] },
        },
      ];
    }).flat();
    const body = JSON.stringify({ policies: many, objects: Array.from({ length: 50 }, () => object), options: { deadline: '1500ms' } });
    const started = performance.now();
    const response = await fetch(`${url}/evaluate`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answer = (await response.json()) as Partial<Answer>;
    const late = performance.now() - started - 1500;
    expect([200, 408, 503]).toContain(response.status);
    // The engine checks the deadline only after each compiled expression, and a busy machine takes longer for each.
    expect(late).toBeLessThan(10_000);
    if (answer.items) expect(answer.items.some((item) => item.outcome === 'cancelled')).toBe(true);
    expect((await evaluate(ruled('true'))).answer.items).toMatchObject([{ outcome: 'accepted' }]);
  });

  it('cannot come with an authorizer table of 10,000 lines', async () => {
    const authorizer = Array.from({ length: 10_000 }, (_, i) => ({ user: `u${i}`, decision: 'allow' }));
    const { code } = await evaluate(ruled(`authorizer.path('/x').check('get').allowed()`), { admission: { authorizer } });
    // Options have a small size limit, so such a long table is rejected.
    expect(code).toBe(400);
  });
});
