import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluationAnswer, explanationAnswer } from '#documents';
import { matrixAnswer } from '#documents';
import { whatIfLine } from '../src/what-if/what-if.controller.ts';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';

let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startApi({ ASSAY_MAX_DEFINITIONS: '10' }));
});
afterAll(() => app.close());

const GROUP = 'admissionregistration.k8s.io/v1';
const rules = [{ apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['widgets'], operations: ['CREATE', 'UPDATE'] }];

/**
 * Policies for the tests. A widget may have at most as many sizes as a label of its namespace permits. A violation causes a warning in
 * lenient namespaces, and a denial in all others.
 */
const policies = [
  {
    apiVersion: GROUP,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'sizes' },
    spec: {
      matchConstraints: { resourceRules: rules },
      validations: [
        {
          expression: 'object.sizes.size() <= int(namespaceObject.metadata.labels.sizes)',
          messageExpression: "request.userInfo.username + ' wants ' + string(object.sizes.size()) + ' sizes'",
        },
      ],
    },
  },
  {
    apiVersion: GROUP,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'sizes-warn' },
    spec: { policyName: 'sizes', validationActions: ['Warn'], matchResources: { namespaceSelector: { matchLabels: { lenient: 'yes' } } } },
  },
  {
    apiVersion: GROUP,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'sizes-deny' },
    spec: {
      policyName: 'sizes',
      validationActions: ['Deny'],
      matchResources: { namespaceSelector: { matchExpressions: [{ key: 'lenient', operator: 'DoesNotExist' }] } },
    },
  },
];
const namespaceOf = (name: string, labels: object) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
const cluster = [namespaceOf('strict', { sizes: '2' }), namespaceOf('lenient', { sizes: '2', lenient: 'yes' })];
const inNamespace = (namespace: string, name: string, sizes: number[]) => ({
  ...widget(name, sizes),
  metadata: { name, namespace },
});
const objects = [
  inNamespace('strict', 'few', [1, 2]),
  inNamespace('strict', 'many', [1, 2, 3]),
  inNamespace('lenient', 'many', [1, 2, 3]),
  // The schema comes first, so policies see only objects that the schema accepts.
  inNamespace('strict', 'negative', [1, 2, -3]),
];
const options = { admission: { userInfo: { username: 'ann' } } };

interface Item {
  readonly outcome: string;
  readonly warnings: readonly string[];
  readonly status?: { readonly message: string };
  readonly admission?: { readonly cost: number };
}

function expectJudged(items: readonly Item[]): void {
  expect(items.map(({ outcome }) => outcome)).toEqual(['accepted', 'rejected', 'accepted', 'rejected']);
  expect(items[1]?.status?.message).toBe(
    `widgets.example.com "many" is forbidden: ValidatingAdmissionPolicy 'sizes' with binding 'sizes-deny' denied request: ann wants 3 sizes`,
  );
  expect(items[2]?.warnings).toEqual([
    "Validation failed for ValidatingAdmissionPolicy 'sizes' with binding 'sizes-warn': ann wants 3 sizes",
  ]);
  expect(items[3]?.status?.message).toContain('sizes are positive');
  expect(items.map(({ admission }) => admission !== undefined)).toEqual([true, true, true, false]);
}

function post(path: string, type: string, body: string): Promise<Response> {
  return fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': type }, body });
}
const itemsOf = async (response: Response): Promise<readonly Item[]> => ((await response.json()) as { items: readonly Item[] }).items;
const linesOf = async (response: Response): Promise<readonly Item[]> =>
  (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Item & { readonly summary?: object })
    .filter(({ summary }) => summary === undefined);

describe('admission policies', () => {
  it('apply to the objects of a JSON body that satisfy their schema', async () => {
    expectJudged(
      await itemsOf(
        await post('/evaluate', 'application/json', JSON.stringify({ definitions: [widgets], policies, cluster, objects, options })),
      ),
    );
  });

  it("may be among the documents of a YAML body, with the cluster's Namespaces", async () => {
    const documents = [widgets, ...objects, ...policies, ...cluster].map((document) => JSON.stringify(document)).join('\n---\n');
    const items = await itemsOf(await post('/evaluate', 'application/yaml', documents.replaceAll('request.userInfo.username', "'ann'")));
    expectJudged(items.slice(0, 4));
  });

  it('may be in the first line of a stream', async () => {
    const lines = [{ definitions: [widgets], policies, cluster, options }, ...objects].map((line) => `${JSON.stringify(line)}\n`).join('');
    expectJudged(await linesOf(await post('/evaluate', 'application/x-ndjson', lines)));
  });

  it('apply to asynchronous evaluations', async () => {
    const begun = await post(
      '/evaluate?wait=0',
      'application/json',
      JSON.stringify({ definitions: [widgets], policies, cluster, objects, options }),
    );
    expect(begun.status).toBe(202);
    expectJudged(await linesOf(await fetch(`${url}${begun.headers.get('location')}/results`)));
  });

  it('get the user of a request from each item that states a user', async () => {
    const userInfo = { username: 'bob', groups: ['dev'] };
    const body = JSON.stringify({ definitions: [widgets], policies, cluster, objects: [{ object: objects[1], userInfo }], options });
    expect((await itemsOf(await post('/evaluate', 'application/json', body)))[0]?.status?.message).toContain('bob wants 3 sizes');
  });

  it('that a server would reject are reported, and still apply', async () => {
    const refused = [...policies.slice(0, 2), { ...policies[2], spec: { ...policies[2]?.spec, validationActions: ['Deny', 'Warn'] } }];
    const head = { definitions: [widgets], policies: refused, cluster, options };
    const answer = evaluationAnswer.parse(await (await post('/evaluate', 'application/json', JSON.stringify({ ...head, objects }))).json());
    expect(answer.policyReports).toMatchObject([
      { kind: 'ValidatingAdmissionPolicy', name: 'sizes', accepted: true },
      { name: 'sizes-warn', accepted: true },
      {
        name: 'sizes-deny',
        accepted: false,
        status: { code: 422, message: expect.stringContaining('must not contain both Deny and Warn') as string },
      },
    ]);
    expect(answer.items.map(({ outcome }) => outcome)).toEqual(['accepted', 'rejected', 'accepted', 'rejected']);
    expect(answer.summary.notice).toContain('"sizes-deny" is invalid');
    const lines = [head, ...objects].map((line) => `${JSON.stringify(line)}\n`).join('');
    const streamed = await (await post('/evaluate', 'application/x-ndjson', lines)).text();
    expect(streamed.trim().split('\n').at(-1)).toContain('judged by policies that a server would refuse to store');
  });

  it('and webhooks: POST /evaluate with explain reports whether a server would call the webhooks', async () => {
    const webhooks = [{ name: 'w.example.com', rules, matchConditions: [{ name: 'many', expression: 'object.sizes.size() > 2' }] }];
    const configuration = { apiVersion: GROUP, kind: 'ValidatingWebhookConfiguration', metadata: { name: 'w' }, webhooks };
    const body = { definitions: [widgets], policies: [configuration], objects: objects.slice(0, 3), options: { explain: true } };
    const { items } = evaluationAnswer.parse(await (await post('/evaluate', 'application/json', JSON.stringify(body))).json());
    expect(items.map(({ admission }) => admission?.webhooks?.map(({ called }) => called))).toEqual([[false], [true], [true]]);
  });

  it('are limited in number, as definitions are', async () => {
    const many = Array.from({ length: 11 }, () => policies[0]);
    const response = await post('/evaluate', 'application/json', JSON.stringify({ policies: many, objects }));
    expect([response.status, await response.json()]).toMatchObject([
      413,
      { message: expect.stringContaining('at most 10 policies') as string },
    ]);
  });
});

describe('other endpoints with admission policies:', () => {
  const batch = { definitions: [widgets], policies, cluster, objects, options };
  const answerTo = async (path: string, body: object): Promise<{ readonly code: number; readonly answer: unknown }> => {
    const response = await post(path, 'application/json', JSON.stringify(body));
    return { code: response.status, answer: await response.json() };
  };

  it('POST /explain reports the costs of policies beside those of rules, for the writes of the objects', async () => {
    const { code, answer } = await answerTo('/explain', batch);
    expect(code).toBe(200);
    const explanation = explanationAnswer.parse(answer);
    expect(explanation.definitions).toMatchObject([{ measured: { objects: 4 } }]);
    expect(explanation.objects.map(({ outcome }) => outcome)).toEqual(['accepted', 'rejected', 'accepted', 'rejected']);
    expect(explanation.policies).toMatchObject([
      {
        policy: 'sizes',
        evaluations: 3,
        growth: [],
        expressions: expect.arrayContaining([expect.objectContaining({ part: 'messageExpression', evaluations: 3 })]) as object[],
      },
    ]);
  });

  it('POST /explain accepts policies without definitions, and YAML', async () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const pods = JSON.stringify(policies)
      .replaceAll('object.sizes', 'object.spec.containers')
      .replaceAll('int(namespaceObject.metadata.labels.sizes)', '3')
      .replaceAll('"example.com"', '""')
      .replaceAll('"widgets"', '"pods"');
    const documents = [pod, ...(JSON.parse(pods) as object[])].map((document) => JSON.stringify(document)).join('\n---\n');
    const response = await post('/explain', 'application/yaml', documents);
    expect(await response.json()).toMatchObject({
      definitions: [],
      objects: [{ name: 'p', outcome: 'accepted' }],
      policies: [{ policy: 'sizes', evaluations: 1 }],
    });
  });

  it('POST /matrix evaluates policies in each requested Kubernetes version', async () => {
    const { code, answer } = await answerTo('/matrix?minors=1.31,1.37', batch);
    expect(code).toBe(200);
    const { objects: rows } = matrixAnswer.parse(answer);
    expect(rows.map(({ outcome }) => [outcome['1.31'], outcome['1.37']])).toEqual([
      ['accepted', 'accepted'],
      ['rejected', 'rejected'],
      ['accepted', 'accepted'],
      ['rejected', 'rejected'],
    ]);
    expect(rows[1]?.messages['1.37']).toContain('ann wants 3 sizes');
    expect(rows[2]?.warnings['1.31']).toEqual([expect.stringContaining('ann wants 3 sizes')]);
    expect(rows[0]?.celCost['1.37']).toBeGreaterThan(5);
  });

  it('POST /explain and POST /matrix respond with 413 to policies whose text is too long', async () => {
    const long = policies.map((policy) => ({ ...policy, data: 'x'.repeat(3 * 1024 * 1024) }));
    for (const path of ['/explain', '/matrix']) expect(await answerTo(path, { ...batch, policies: long })).toMatchObject({ code: 413 });
  });
});

describe('the effect of a policy change', () => {
  const strict = JSON.parse(JSON.stringify(policies).replaceAll('object.sizes.size() <=', 'object.sizes.size() <')) as object[];
  const change = async (head: object, query = ''): Promise<readonly unknown[]> => {
    const lines = [head, ...objects].map((line) => `${JSON.stringify(line)}\n`).join('');
    const response = await post(`/what-if${query}`, 'application/x-ndjson', lines);
    return (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  };

  it('is reported for each object, with the messages of a server, and in total', async () => {
    const lines = await change({ definitions: [widgets], cluster, from: { policies }, to: { policies: strict }, options });
    expect(lines).toMatchObject([
      { index: 0, name: 'few', effect: 'denied', messages: [expect.stringContaining('ann wants 2 sizes')] },
      { index: 1, effect: 'deniedBefore' },
      { index: 3, effect: 'deniedBefore' },
      {
        definitions: { to: [{ accepted: true }] },
        complete: true,
        impact: { objects: 4, effects: { denied: 1, deniedBefore: 2, unaffected: 1 } },
      },
    ]);
    for (const line of lines) expect(whatIfLine.safeParse(line).error).toBeUndefined();
  });

  it('may come from a changed Namespace while the policies stay the same', async () => {
    const lenient = [namespaceOf('strict', { sizes: '9' }), cluster[1]];
    const lines = await change({ definitions: [widgets], policies, from: { cluster }, to: { cluster: lenient }, options }, '?all=true');
    expect(lines.slice(0, 4)).toMatchObject([
      { effect: 'unaffected' },
      { effect: 'allowed', messages: [] },
      { effect: 'unaffected' },
      { effect: 'deniedBefore' },
    ]);
  });

  it.each([
    ['policies beside two definitions', { definitions: [widgets, widgets], policies }, 400, /belong into "from" and "to"/],
    ['neither two definitions nor sides', { definitions: [widgets] }, 400, /two definitions/],
    [
      'a side with objects',
      { from: { policies, objects }, to: { policies } },
      400,
      /unknown field "objects"; known: definitions, policies, cluster/,
    ],
    [
      'more policies on a side than a request may have',
      { from: { policies: Array(11).fill(policies[0]) }, to: {} },
      413,
      /at most 10 policies/,
    ],
  ])('cannot be computed for %s', async (_, head, code, message) => {
    expect(await change(head)).toMatchObject([{ kind: 'Status', code, message: expect.stringMatching(message) as string }]);
  });
});
