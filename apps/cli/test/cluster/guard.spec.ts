import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { answerJson, answerStatus, FakeApiServer } from '../../../../libs/cluster/testing/fake-api-server.ts';
import { AssayProcess } from '../assay-process.ts';
import { runAssay } from '../../../../testing/run-assay.ts';
import { pump, pumpDefinition } from './pumps.ts';

const STORED = '/apis/live.assay.example.com/v1/pumps';
const pumps = Array.from({ length: 600 }, (_, i) => pump(i));
const folder = mkdtempSync(join(tmpdir(), 'assay-guard-'));
const guards: AssayProcess[] = [];

/** File with a definition that is stricter than the stored one. */
const strictFile = join(folder, 'strict.json');
/** Arguments of a guard for older minors, for costs, and for objects. */
const STRICT = ['--minors', '1.30,1.36', '--cost-share', '0.001', '--definitions', strictFile];

let server: FakeApiServer;
/** Addresses of the running `assay guard` processes, by the arguments with which each was started. */
const urls = new Map<string, string>();

async function startGuard(...argv: readonly string[]): Promise<string> {
  const known = urls.get(argv.join(' '));
  if (known !== undefined) return known;
  const guard = new AssayProcess([
    'guard',
    '--insecure-http',
    '--port',
    '0',
    '--host',
    '127.0.0.1',
    ...(argv.includes('--kubeconfig') ? [] : ['--kubeconfig', join(folder, 'config')]),
    ...argv,
  ]);
  guards.push(guard);
  await guard.says(' on 127.0.0.1:');
  const url = `http://127.0.0.1:${/127\.0\.0\.1:(\d+)/.exec(guard.stderr)?.[1] ?? ''}`;
  urls.set(argv.join(' '), url);
  return url;
}

/** Returns an AdmissionReview request for a write, in the form in which an API server of version 1.37 sends it. */
function reviewOf(object: Definition | null, oldObject: Definition | null): object {
  const operation = object === null ? 'DELETE' : oldObject === null ? 'CREATE' : 'UPDATE';
  const { apiVersion, kind, metadata } = (object ?? oldObject)!;
  const group = apiVersion.split('/')[0];
  const resource = kind === 'ValidatingAdmissionPolicy' ? 'validatingadmissionpolicies' : `${kind.toLowerCase()}s`;
  return {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      kind: { group, version: 'v1', kind },
      resource: { group, version: 'v1', resource },
      requestKind: { group, version: 'v1', kind },
      requestResource: { group, version: 'v1', resource },
      name: metadata.name,
      operation,
      userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
      object,
      oldObject,
      dryRun: false,
      options: {
        kind: { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' }[operation],
        apiVersion: 'meta.k8s.io/v1',
      },
    },
  };
}

interface Definition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: object;
}

interface Answer {
  readonly apiVersion: string;
  readonly kind: string;
  readonly response: {
    readonly uid: string;
    readonly allowed: boolean;
    readonly status?: { readonly code: number; readonly message: string };
    readonly warnings?: readonly string[];
    readonly auditAnnotations?: Readonly<Record<string, string>>;
  };
}

async function ask(url: string, object: Definition, oldObject: Definition | null, timeout?: string): Promise<Answer['response']> {
  return askAll(url, object, oldObject, timeout);
}

async function askAll(url: string, object: Definition | null, oldObject: Definition | null, timeout = '30s'): Promise<Answer['response']> {
  const answer = await fetch(`${url}/guard?timeout=${timeout}`, { method: 'POST', body: JSON.stringify(reviewOf(object, oldObject)) });
  expect(answer.status).toBe(200);
  const { apiVersion, kind, response } = (await answer.json()) as Answer;
  expect([apiVersion, kind, response.uid]).toEqual(['admission.k8s.io/v1', 'AdmissionReview', '705ab4f5-6393-11e8-b7cc-42010a800002']);
  return response;
}

/** Returns a changed definition that rejects the existing objects, because it requires a new field. */
function demanding(metadata: object = {}): ReturnType<typeof pumpDefinition> {
  const changed = structuredClone(pumpDefinition());
  for (const version of changed.spec.versions) version.schema.openAPIV3Schema.properties.spec.required.push('site');
  return { ...changed, metadata: { ...changed.metadata, ...metadata } };
}

beforeAll(async () => {
  server = await FakeApiServer.start({ [STORED]: pumps });
  writeFileSync(join(folder, 'config'), server.kubeconfig);
  writeFileSync(strictFile, JSON.stringify(pumpDefinition(90)));
});
afterEach(() => {
  expect(server.requests.filter((line) => !line.startsWith('GET '))).toEqual([]);
  server.always.length = 0;
  server.requests.length = 0;
});
afterAll(async () => {
  for (const guard of guards) guard.signal('SIGTERM');
  expect(await Promise.all(guards.map(({ ended }) => ended))).toEqual(guards.map(() => 0));
  await server.stop();
  rmSync(folder, { recursive: true });
});

describe('a change of a definition', () => {
  it('is denied if it breaks stored objects, and the message has their number and the reasons', async () => {
    const url = await startGuard();
    const { allowed, status } = await ask(url, demanding(), pumpDefinition());
    expect([allowed, status?.code]).toEqual([false, 403]);
    expect(status?.message).toContain('600 of 600 stored objects would be refused at their next change, such as pump-000000');
    expect(status?.message).toContain('spec.site: Required value');
    expect(server.requests.filter((line) => line.includes(STORED))).toHaveLength(2);
  });

  it('is allowed if it widens the schema', async () => {
    expect(await ask(await startGuard(), pumpDefinition(200), pumpDefinition())).toEqual({
      uid: expect.any(String) as string,
      allowed: true,
    });
  });

  it('is not evaluated if the specification is unchanged', async () => {
    const labelled = { ...pumpDefinition(), metadata: { name: 'pumps.live.assay.example.com', labels: { a: 'b' } } };
    expect(await ask(await startGuard(), labelled, pumpDefinition())).toMatchObject({ allowed: true });
    expect(server.requests.filter((line) => line.includes(STORED))).toEqual([]);
  });

  it('that breaks stored objects is allowed with a warning, an audit annotation or neither, as its own annotations or labels demand', async () => {
    const url = await startGuard();
    const warned = await ask(url, demanding({ annotations: { 'assay/guard-mode': 'warn' } }), pumpDefinition());
    expect([warned.allowed, warned.warnings?.[0]]).toEqual([true, expect.stringContaining('600 of 600 stored objects')]);
    const audited = await ask(url, demanding({ annotations: { 'assay/guard-mode': 'audit' } }), pumpDefinition());
    expect([audited.allowed, audited.warnings]).toEqual([true, undefined]);
    expect(audited.auditAnnotations?.['findings']).toContain('600 of 600 stored objects');
    expect(await ask(url, demanding({ labels: { 'assay/guard-exempt': 'true' } }), pumpDefinition())).toEqual({
      uid: expect.any(String) as string,
      allowed: true,
    });
  });

  it('gets the configured answer at the deadline if it cannot be evaluated in time', async () => {
    server.always.push((line) => line.url?.includes(STORED) ?? false);
    const allowed = await ask(await startGuard(), demanding(), pumpDefinition(), '2s');
    expect(allowed).toMatchObject({ allowed: true, warnings: ['assay guard: the guard ran out of time: 0 stored objects were judged'] });
    const denied = await ask(await startGuard('--when-late', 'deny'), demanding(), pumpDefinition(), '2s');
    expect(denied).toMatchObject({ allowed: false, status: { message: expect.stringContaining('ran out of time') as string } });
  });

  it('with unreadable stored objects is allowed with a warning', async () => {
    server.always.push((line, response) => (line.url?.includes(STORED) ?? false) && answerStatus(response, 403, 'Forbidden', 'no'));
    expect(await ask(await startGuard(), demanding(), pumpDefinition())).toMatchObject({
      allowed: true,
      warnings: [expect.stringContaining(`not all stored objects could be judged: fake: ${STORED}: no (403)`)],
    });
  });

  it('that older versions reject, or that has expensive rules, is denied even if the definition is new', async () => {
    const url = await startGuard(...STRICT);
    const definition = structuredClone(pumpDefinition());
    for (const version of definition.spec.versions)
      version.schema.openAPIV3Schema.properties.spec['x-kubernetes-validations'].push({
        rule: "!has(self.note) || isSemver(self.note) || (has(self.hosts) && self.hosts.all(a, self.hosts.all(b, a != b + 'x')))",
      });
    const { allowed, status } = await ask(url, definition, null);
    expect(allowed).toBe(false);
    expect(status?.message).toContain('Kubernetes 1.30 would refuse it');
    expect(status?.message).not.toContain('Kubernetes 1.36 would refuse it');
    expect(status?.message).toMatch(/the rule may cost [\d.]+ of the server's limit, and 0.001 of it is allowed here/);
    // A later change is not denied for problems that existed before.
    const later = await ask(url, { ...definition, spec: { ...definition.spec, preserveUnknownFields: false } }, definition);
    expect(later).toEqual({ uid: expect.any(String) as string, allowed: true });
  });
});

it('the guard denies a policy that an older version rejects', async () => {
  const policy = (expression: string) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'sized' },
    spec: {
      matchConstraints: { resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE'], resources: ['pumps'] }] },
      validations: [{ expression }],
    },
  });
  const url = await startGuard(...STRICT);
  expect(await ask(url, policy("isSemver('1.0.0')"), null)).toMatchObject({
    allowed: false,
    status: { message: expect.stringContaining('Kubernetes 1.30 would refuse it') as string },
  });
  expect(await ask(url, policy('object.spec.stages > 1'), null)).toMatchObject({ allowed: true });
});

it('the guard denies the deletion of a definition only if there are stored objects', async () => {
  const url = await startGuard();
  const removal = async (definition: ReturnType<typeof pumpDefinition>): Promise<Answer['response']> => askAll(url, null, definition);
  const { allowed, status } = await removal(pumpDefinition());
  expect(allowed).toBe(false);
  expect(status?.message).toContain('600 stored objects would be deleted with it, such as pump-000000');
  const warning = { ...pumpDefinition(), metadata: { name: 'pumps.live.assay.example.com', annotations: { 'assay/guard-mode': 'warn' } } };
  expect(await removal(warning)).toMatchObject({ allowed: true, warnings: [expect.stringContaining('600 stored objects') as string] });
  server.always.push((line, response) => {
    if (!(line.url?.includes(STORED) ?? false)) return false;
    answerJson(response, 200, { kind: 'List', apiVersion: 'v1', metadata: {}, items: [] });
    return true;
  });
  expect(await removal(pumpDefinition())).toEqual({ uid: expect.any(String) as string, allowed: true });
});

describe('a change of a policy, which the guard evaluates on stored objects,', () => {
  const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  const policy = (expression: string, more: object = {}): Definition => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'staged' },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['live.assay.example.com'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['pumps'] },
        ],
      },
      validations: [{ expression }],
      ...more,
    },
  });
  const binding = (more: object = {}): Definition => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'staged' },
    spec: { policyName: 'staged', validationActions: ['Deny'], ...more },
  });
  let cluster: FakeApiServer;
  let url = '';

  beforeAll(async () => {
    cluster = await FakeApiServer.start({
      [STORED]: pumps.slice(0, 20),
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions': [pumpDefinition()],
      '/api/v1/namespaces': [],
      [POLICIES]: [policy('true')],
      [`${POLICIES.slice(0, -'policies'.length)}policybindings`]: [binding()],
    });
    writeFileSync(join(folder, 'policies'), cluster.kubeconfig);
    url = await startGuard('--kubeconfig', join(folder, 'policies'));
  });
  afterAll(() => cluster.stop());

  it('is denied if the policy denies their writes, and the message has their number and the reasons', async () => {
    const { allowed, status } = await ask(url, policy("object.metadata.name != 'pump-000003'"), policy('true'));
    expect(allowed).toBe(false);
    expect(status?.message).toContain('1 of 20 stored objects would be denied at their next write, such as pump-000003: ');
    expect(status?.message).toContain("ValidatingAdmissionPolicy 'staged'");
  });

  it('is allowed if the policy denies no write, and the log contains the cost', async () => {
    const before = guards.at(-1)!.stdout.length;
    expect(await ask(url, policy("object.metadata.name.startsWith('pump-')"), policy('true'))).toMatchObject({ allowed: true });
    const line = JSON.parse(guards.at(-1)!.stdout.slice(before).trim().split('\n').at(-1)!) as {
      policyCost: { before: number; after: number };
      objects: number;
    };
    expect(line.objects).toBe(20);
    expect(line.policyCost.after).toBeGreaterThan(line.policyCost.before);
  });

  it('is denied if the policy costs more than a given share of the limit', async () => {
    const strict = await startGuard('--kubeconfig', join(folder, 'policies'), '--cost-share', '0.0000001');
    expect(await ask(strict, policy("object.metadata.name.startsWith('pump-')"), policy('true'))).toMatchObject({
      allowed: false,
      status: { message: expect.stringContaining("of the server's limit more, and 1e-7 of it is allowed here") as string },
    });
  });

  it('is also evaluated for bindings and deletions', async () => {
    // The stored policy allows everything, so each of its bindings is harmless.
    expect(await ask(url, binding({ validationActions: ['Deny', 'Audit'] }), binding())).toMatchObject({ allowed: true });
    expect(await askAll(url, null, policy("object.metadata.name != 'pump-000003'"))).toMatchObject({ allowed: true });
  });

  it('is not evaluated if it matches no stored object', async () => {
    const elsewhere = {
      matchConstraints: { resourceRules: [{ apiGroups: ['apps'], apiVersions: ['*'], operations: ['*'], resources: ['deployments'] }] },
    };
    cluster.requests.length = 0;
    expect(await ask(url, policy('false', elsewhere), null)).toMatchObject({ allowed: true });
    expect(cluster.requests.filter((line) => line.includes(STORED))).toEqual([]);
  });

  it('is evaluated with the stored parameters of the policy', async () => {
    const limits = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'limits', namespace: 'default' },
      data: { refused: 'pump-000004' },
    };
    cluster.always.push((line, response) => {
      if (line.url?.startsWith('/api/v1/configmaps')) answerJson(response, 200, { kind: 'List', metadata: {}, items: [limits] });
      else if (line.url === '/api/v1') answerJson(response, 200, { resources: [{ name: 'configmaps', kind: 'ConfigMap' }] });
      else if (line.url?.includes('policybindings') === true && line.url.includes('/v1/validating'))
        answerJson(response, 200, {
          kind: 'List',
          metadata: {},
          items: [binding({ paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' } })],
        });
      else return false;
      return true;
    });
    const changed = policy('object.metadata.name != params.data.refused', { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } });
    const { allowed, status } = await ask(url, changed, policy('true', { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }));
    cluster.always.length = 0;
    expect(allowed).toBe(false);
    expect(status?.message).toContain('1 of 20 stored objects would be denied at their next write, such as pump-000004');
  });
});

it('a separate webhook of the guard validates objects with definitions in files', async () => {
  const url = await startGuard(...STRICT);
  const judge = async (object: ReturnType<typeof pump>, oldObject: ReturnType<typeof pump> | null = null): Promise<Answer['response']> => {
    const body = JSON.stringify(reviewOf(object, oldObject));
    const answer = await fetch(`${url}/admission/objects?timeout=30s`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as Answer).response;
  };
  expect(await judge(pump(5))).toMatchObject({ allowed: true });
  expect(await judge(pump(92))).toMatchObject({
    allowed: false,
    status: { code: 422, reason: 'Invalid', message: expect.stringContaining('should be less than or equal to 90') as string },
  });
  // Ratcheting accepts unchanged values, as on a server.
  expect(await judge(pump(92), pump(92))).toMatchObject({ allowed: true });
  const foreign = await judge({ ...pump(5), apiVersion: 'other.example.com/v1' });
  expect([foreign.allowed, foreign.warnings]).toEqual([true, [expect.stringContaining('the object was not judged') as string]]);
});

it('the guard rejects a body that is no AdmissionReview', async () => {
  const url = await startGuard();
  const code = async (path: string, body?: string): Promise<number> =>
    (await fetch(url + path, body === undefined ? {} : { method: 'POST', body })).status;
  expect(await code('/readyz')).toBe(200);
  expect(await code('/nowhere')).toBe(404);
  expect(await code('/guard')).toBe(405);
  expect(await code('/guard', '{')).toBe(400);
  expect(await code('/guard', JSON.stringify({ apiVersion: 'admission.k8s.io/v1beta1', kind: 'AdmissionReview', request: {} }))).toBe(400);
  expect(await code('/guard', ' '.repeat(9 * 1024 * 1024))).toBe(413);
});

const installed = spawnSync('openssl', ['version']).status === 0;
if (!installed)
  console.warn('openssl is not on PATH: no certificate can be made, the guard over TLS is not tested (Debian package openssl)');

describe.skipIf(!installed)('the guard with TLS', () => {
  const files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  function writeCertificate(name: string): void {
    const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
    const words = `req -x509 ${key} -days 2 -subj /CN=${name} -addext subjectAltName=IP:127.0.0.1`.split(' ');
    const made = spawnSync('openssl', [...words, '-keyout', files.key, '-out', files.cert]);
    expect(made.status).toBe(0);
  }
  const nameShown = (port: number): Promise<string | string[] | undefined> =>
    new Promise((done, failed) => {
      const requested = request({ port, host: '127.0.0.1', path: '/readyz', ca: readFileSync(files.cert), agent: false }, (response) => {
        response.resume();
        const { socket } = response as unknown as { socket: { getPeerCertificate(): { subject: { CN?: string | string[] } } } };
        done(socket.getPeerCertificate().subject.CN);
      });
      requested.on('error', failed).end();
    });

  it('reads a replaced certificate again, but keeps the old one if the new one is broken', async () => {
    writeCertificate('first');
    const guard = new AssayProcess([
      'guard',
      '--tls-cert',
      files.cert,
      '--tls-key',
      files.key,
      '--port',
      '0',
      '--kubeconfig',
      join(folder, 'config'),
    ]);
    guards.push(guard);
    await guard.says(' on 0.0.0.0:');
    const port = Number(/0\.0\.0\.0:(\d+)/.exec(guard.stderr)?.[1]);
    expect(await nameShown(port)).toBe('first');
    writeFileSync(files.cert, 'broken');
    await guard.says('the certificate stays as it was');
    writeCertificate('second');
    await guard.says('the certificate was read again');
    await expect.poll(() => nameShown(port)).toBe('second');
  });

  it('exits at the start if its certificate is invalid', async () => {
    const guard = await runAssay(['guard', '--tls-cert', folder, '--tls-key', folder, '--kubeconfig', join(folder, 'config')]);
    expect([guard.status, guard.stderr]).toEqual([2, expect.stringContaining('no certificate and its key')]);
  });
});

describe('the guard with a certificate that it makes itself', () => {
  const argv = ['guard', '--self-made-certificate', 'localhost,127.0.0.1', '--host', '127.0.0.1', '--port', '0'];
  const isReady = (port: number, ca: string): Promise<boolean> =>
    new Promise((done, failed) => {
      const requested = request({ port, host: '127.0.0.1', path: '/readyz', ca, agent: false }, (response) =>
        done(response.resume().statusCode === 200),
      );
      requested.on('error', failed).end();
    });
  const portOf = (guard: AssayProcess): number => Number(/ on 127\.0\.0\.1:(\d+)/.exec(guard.stderr)?.[1]);

  it('makes API servers trust it before it serves', async () => {
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    const configuration = { metadata: { name: 'assay-guard', resourceVersion: '1' }, webhooks: [{ clientConfig: {} }] };
    const cluster = await FakeApiServer.start({ [path]: [configuration] });
    let patch = '';
    cluster.always.push((line, response) => {
      if (line.method !== 'PATCH') return false;
      line.on('data', (block) => (patch += String(block)));
      line.on('end', () => answerJson(response, 200, {}));
      return true;
    });
    writeFileSync(join(folder, 'injected'), cluster.kubeconfig);
    const guard = new AssayProcess([...argv, '--inject-into', 'assay-guard', '--kubeconfig', join(folder, 'injected')]);
    guards.push(guard);
    await guard.says(' on 127.0.0.1:');
    const [, added] = JSON.parse(patch) as { path: string; value: string }[];
    expect(added!.path).toBe('/webhooks/0/clientConfig/caBundle');
    expect(await isReady(portOf(guard), Buffer.from(added!.value, 'base64').toString())).toBe(true);
    await cluster.stop();
  });

  it('prints its certificate authority if it has no webhook configuration to change', async () => {
    const guard = new AssayProcess([...argv, '--kubeconfig', join(folder, 'config')]);
    guards.push(guard);
    await guard.says(' on 127.0.0.1:');
    const { caBundle } = JSON.parse(guard.stdout) as { caBundle: string };
    expect(await isReady(portOf(guard), Buffer.from(caBundle, 'base64').toString())).toBe(true);
  });

  it.each([
    [['--inject-into', 'absent'], 'validatingwebhookconfigurations/absent'],
    [['--insecure-http'], 'or else --insecure-http'],
  ])('exits and names the reason for the arguments %s', async (more, why) => {
    const guard = await runAssay([...argv, ...more, '--kubeconfig', join(folder, 'config')]);
    expect([guard.status, guard.stderr]).toEqual([2, expect.stringContaining(why)]);
  });
});
