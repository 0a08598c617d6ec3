import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { answerStatus, FakeApiServer } from '../../../../libs/cluster/testing/fake-api-server.ts';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { withoutProgress } from '../assay-process.ts';
import { runAssay } from '../../../../testing/run-assay.ts';
import { pump, pumpDefinition } from './pumps.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GROUP = '/apis/live.assay.example.com/v1';
const pumps = Array.from({ length: 1200 }, (_, i) => pump(i));
const over = (most: number): number => pumps.filter(({ spec }) => spec.stages > most).length;

let server: FakeApiServer;
const folder = mkdtempSync(join(tmpdir(), 'assay-cluster-'));
const write = (name: string, document: object | string): string => {
  const file = join(folder, name);
  writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document));
  return file;
};

beforeAll(async () => {
  server = await FakeApiServer.start({
    [DEFINITIONS]: [pumpDefinition()],
    [`${GROUP}/pumps`]: pumps,
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies': [
      {
        metadata: { name: 'sized' },
        spec: {
          matchConstraints: { resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE'], resources: ['pumps'] }] },
          validations: [{ expression: "isSemver('1.0.0') && object.spec.stages < 90" }],
        },
      },
    ],
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings': [
      { metadata: { name: 'sized' }, spec: { policyName: 'sized', validationActions: ['Deny'] } },
    ],
    '/api/v1/namespaces': [{ metadata: { name: 'default' } }],
  });
  write('kubeconfig', server.kubeconfig);
});
afterEach(() => {
  expect(server.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
  server.always.length = 0;
  server.requests.length = 0;
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Runs the command line with the kubeconfig of the test cluster. Resolves with the output and the exit status. */
async function assay(...argv: readonly string[]): Promise<{ status: unknown; stdout: string; stderr: string }> {
  const { status, stdout, stderr } = await runAssay([...argv, '--kubeconfig', join(folder, 'kubeconfig')]);
  return { status, stdout, stderr: withoutProgress(stderr) };
}

const refuse = (part: string): void =>
  void server.always.push((request, response) => (request.url?.includes(part) ?? false) && answerStatus(response, 403, 'Forbidden', 'no'));

it('what-if evaluates a tightened definition on all stored objects', async () => {
  const file = write('tight.json', pumpDefinition(90));
  const { status, stdout, stderr } = await assay('what-if', '--cluster', '--to', file, '--fail-on', 'savedByRatcheting');
  expect([status, stderr]).toEqual([1, '']);
  expect(stdout).toContain(`Summary: 1,200 objects: ${1200 - over(90)} unaffected`);
  expect(stdout).toContain(`${over(90)} saved by ratcheting`);
  expect(stdout).toContain('default/pump-000092 "pump-000092" saved by ratcheting: only a new object is refused');
  expect(server.requests.filter((request) => request.includes('/pumps?'))).toHaveLength(3);
  const wide = await assay('what-if', '--cluster', '--to', write('wide.json', pumpDefinition(200)), '-o', 'json');
  expect(wide.status).toBe(0);
  expect(JSON.parse(wide.stdout)).toMatchObject({ changes: [{ impact: { objects: 1200, effects: { unaffected: 1200 } }, objects: [] }] });
});

it('what-if reports a list that ends early, and evaluates the objects that it read', async () => {
  refuse('continue=500');
  const { status, stdout, stderr } = await assay('what-if', '--cluster', '--to', write('tight.json', pumpDefinition(90)));
  expect(status).toBe(2);
  expect(stdout).toContain('Summary: 500 objects');
  expect(stderr).toBe(`assay: fake: ${GROUP}/pumps: no (403); 500 of its objects were read\n`);
});

it('what-if rejects a definition that the cluster lacks, and --from beside --cluster', async () => {
  const other = { ...pumpDefinition(), metadata: { name: 'others.example.com' } };
  const { status, stderr } = await assay('what-if', '--cluster', '--to', write('other.json', other));
  expect([status, stderr]).toEqual([2, expect.stringContaining('fake: has no definition others.example.com')]);
  const both = await assay('what-if', '--cluster', '--from', 'a', '--to', 'b');
  expect([both.status, both.stderr]).toEqual([2, expect.stringContaining('one of --from FILE and --cluster')]);
});

it('evaluate reads definitions and old objects from the cluster', async () => {
  server.always.push((request, response) => {
    if (request.url !== GROUP) return false;
    response.writeHead(200).end(JSON.stringify({ kind: 'APIResourceList', resources: [{ name: 'pumps', kind: 'Pump' }] }));
    return true;
  });
  const [stored, fresh] = [pump(92), { ...pump(93), metadata: { name: 'new', namespace: 'default' } }];
  // A definition in a file takes precedence over the cluster's definition.
  const objects = write('objects.json', { kind: 'List', apiVersion: 'v1', items: [stored, fresh] });
  const { status, stdout, stderr } = await assay('evaluate', '--cluster', '-f', objects, '-o', 'json');
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ summary: { items: 2, accepted: 2 }, definitions: [{ name: 'pumps.live.assay.example.com' }] });
  // Under the tightened definition, ratcheting accepts the stored object, but the new one is rejected.
  const tight = await assay('evaluate', '--cluster', '-f', objects, '-f', write('tight.json', pumpDefinition(90)), '-o', 'json');
  expect(tight.status).toBe(1);
  expect((JSON.parse(tight.stdout) as { items: readonly { outcome: string }[] }).items.map(({ outcome }) => outcome)).toEqual([
    'accepted',
    'rejected',
  ]);
  refuse('/pumps/');
  const blind = await assay('evaluate', '--cluster', '-f', objects);
  expect([blind.status, blind.stderr]).toEqual([2, `assay: fake: ${GROUP}/namespaces/default/pumps/pump-000092: no (403)\n`]);
  expect(blind.stdout).toContain('2 objects');
});

it('explain reads all rules of the cluster, and shows the most expensive rule first', async () => {
  const { status, stdout } = await assay('explain', '--cluster');
  expect(status).toBe(0);
  expect(stdout.indexOf('self.hosts.all')).toBeGreaterThan(0);
  expect(stdout.indexOf('self.hosts.all')).toBeLessThan(stdout.indexOf("self.mode != 'off'"));
  expect(stdout).toContain('Summary: 1 definitions, 2 rules, 0 over the limit; 0 definitions would be refused');
});

it("upgrade-check evaluates everything in the cluster under the server's version and another one", async () => {
  const none = await assay('upgrade-check', '--to-version', '1.37', '-o', 'json');
  expect([none.status, none.stderr]).toEqual([0, '']);
  expect(JSON.parse(none.stdout)).toMatchObject({
    minors: ['1.36', '1.37'],
    counts: { definitions: 1, policies: 2, objects: 1200, notJudged: 0 },
    definitions: [],
    policies: [],
  });
  // Functions for semver exist since 1.34, so 1.32 refuses the policy.
  const back = await assay('upgrade-check', '--to-version', '1.32');
  expect(back.status).toBe(1);
  expect(back.stdout).toContain('ValidatingAdmissionPolicy sized');
  expect(back.stdout).toContain('undeclared reference to');
});

it('upgrade-check names the cause of a rejected definition, and bounds with which both versions accept it', async () => {
  const rule = "matches(self, '^([0-9]{1,5}(h|m|s|ms)){1,4}$')";
  const waits = { type: 'array', maxItems: 10, items: { type: 'string', 'x-kubernetes-validations': [{ rule }] } };
  const other = customDefinition({ kind: 'Waiter', schema: { type: 'object', properties: { spec: waits } } });
  const cluster = await FakeApiServer.start({
    [DEFINITIONS]: [other],
    '/apis/example.com/v1/waiters': [],
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies': [],
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings': [],
  });
  try {
    const kubeconfig = write('other-kubeconfig', cluster.kubeconfig);
    const { status, stdout } = await runAssay(['upgrade-check', '--to-version', '1.37', '--kubeconfig', kubeconfig]);
    expect(status).toBe(1);
    expect(stdout).toContain('why 1.37 differs from 1.36: Since 1.37, `matches(text, pattern)` costs as much as');
    expect(stdout).toMatch(/bounds with which 1\.36–1\.37 accept it: spec\[\*\]: maxLength \d+/);
  } finally {
    await cluster.stop();
  }
});

it('upgrade-check reports resources that it may not read, and evaluates the others', async () => {
  refuse('admissionregistration');
  const { status, stdout, stderr } = await assay('upgrade-check', '--to-version', '1.37');
  expect(status).toBe(2);
  expect(stderr.split('\n').filter(Boolean)).toHaveLength(4);
  expect(stdout).toContain('of 0 policies and bindings 0, of 1200 objects 0');
});

it.each([
  [['explain', '--cluster', '--context', 'nowhere'], 'the kubeconfig has no context nowhere; it has fake'],
  [['explain', 'crd.yaml', '--context', 'nowhere'], 'go with --cluster'],
  [['explain', '--cluster', '--fix'], '--rule, --fix and --html are for files'],
  [['explain', '--cluster', 'crd.yaml'], 'with --cluster no files are judged'],
])('a command rejects the arguments %s with a message', async (argv, sentence) => {
  const { status, stderr } = await assay(...argv);
  expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)]);
});
