import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** Widgets may have as many sizes as their namespace's label says; more are warned about. */
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
  // The schema speaks first: a policy is asked about what may be stored only.
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
  it('judge the objects of a JSON body, after their schema', async () => {
    expectJudged(
      await itemsOf(
        await post('/evaluate', 'application/json', JSON.stringify({ definitions: [widgets], policies, cluster, objects, options })),
      ),
    );
  });

  it('stand among the documents of a YAML body; its Namespaces are those of the cluster', async () => {
    const documents = [widgets, ...objects, ...policies, ...cluster].map((document) => JSON.stringify(document)).join('\n---\n');
    const items = await itemsOf(await post('/evaluate', 'application/yaml', documents.replaceAll('request.userInfo.username', "'ann'")));
    expectJudged(items.slice(0, 4));
  });

  it('come in the first line of a stream', async () => {
    const lines = [{ definitions: [widgets], policies, cluster, options }, ...objects].map((line) => `${JSON.stringify(line)}\n`).join('');
    expectJudged(await linesOf(await post('/evaluate', 'application/x-ndjson', lines)));
  });

  it('judge evaluations that nobody waits for', async () => {
    const begun = await post(
      '/evaluate?wait=0',
      'application/json',
      JSON.stringify({ definitions: [widgets], policies, cluster, objects, options }),
    );
    expect(begun.status).toBe(202);
    expectJudged(await linesOf(await fetch(`${url}${begun.headers.get('location')}/results`)));
  });

  it('are told who writes by each item that says so', async () => {
    const userInfo = { username: 'bob', groups: ['dev'] };
    const body = JSON.stringify({ definitions: [widgets], policies, cluster, objects: [{ object: objects[1], userInfo }], options });
    expect((await itemsOf(await post('/evaluate', 'application/json', body)))[0]?.status?.message).toContain('bob wants 3 sizes');
  });

  it('are bounded in number, as definitions are', async () => {
    const many = Array.from({ length: 11 }, () => policies[0]);
    const response = await post('/evaluate', 'application/json', JSON.stringify({ policies: many, objects }));
    expect([response.status, await response.json()]).toMatchObject([
      413,
      { message: expect.stringContaining('at most 10 policies') as string },
    ]);
  });
});
