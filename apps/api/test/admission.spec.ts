import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { startApi } from './start-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-admission-'));
const file = join(folder, 'rules.yaml');
const sized = (most: number, rule = 'self.size >= 0') =>
  customDefinition({
    group: 'example.com',
    kind: 'Widget',
    schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { size: { type: 'integer', maximum: most } }, 'x-kubernetes-validations': [{ rule }] },
      },
    },
  });
const widget = (size: number, name = 'a') => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  spec: { size },
});
const POLICY = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'named' },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: ['example.com'], apiVersions: ['*'], operations: ['CREATE', 'DELETE'], resources: ['widgets'] }],
    },
    validations: [{ expression: "request.name != 'forbidden'", message: 'not this name' }],
  },
};
const BINDING = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'named' },
  spec: { policyName: 'named', validationActions: ['Deny'] },
};
const writeRules = (...documents: object[]): void => writeFileSync(file, documents.map((one) => `---\n${JSON.stringify(one)}\n`).join(''));

interface Written {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}
const reviewOf = (object: Written | null, oldObject: Written | null = null, resource = 'widgets') => {
  const { apiVersion, kind, metadata } = (object ?? oldObject)!;
  const [group, version] = apiVersion.split('/');
  const operation = object === null ? 'DELETE' : oldObject === null ? 'CREATE' : 'UPDATE';
  const of = { group, version };
  const requested = {
    uid: 'u-1',
    kind: { ...of, kind },
    resource: { ...of, resource },
    name: metadata.name,
    namespace: metadata.namespace,
  };
  const request = { ...requested, operation, userInfo: { username: 'admin' }, object, oldObject, dryRun: false };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
};

let app: NestFastifyApplication;
let url: string;
const post = (path: string, body: unknown, type = 'application/json') =>
  fetch(`${url}/admission/${path}`, { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) });
async function ask(
  path: string,
  body: unknown,
): Promise<{ uid: string; allowed: boolean; status?: { code: number; message: string }; warnings?: string[] }> {
  const answer = await post(path, body);
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  const { apiVersion, kind, response } = JSON.parse(text) as {
    apiVersion: string;
    kind: string;
    response: Awaited<ReturnType<typeof ask>>;
  };
  expect([apiVersion, kind, response.uid]).toEqual(['admission.k8s.io/v1', 'AdmissionReview', 'u-1']);
  return response;
}

beforeAll(async () => {
  writeRules(sized(10), POLICY, BINDING);
  ({ app, url } = await startApi({ ASSAY_ADMISSION_FILE: file, ASSAY_RELOAD_MS: '20' }));
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

describe('POST /admission/objects', () => {
  it("evaluates definitions and policies as a server does, with ratcheting and with the server's messages", async () => {
    expect(await ask('objects', reviewOf(widget(3)))).toEqual({ uid: 'u-1', allowed: true });
    expect(await ask('objects?timeout=10s', reviewOf(widget(-1)))).toMatchObject({
      allowed: false,
      status: { kind: 'Status', code: 422, reason: 'Invalid', message: expect.stringContaining('failed rule: self.size >= 0') as string },
    });
    expect(await ask('objects', reviewOf(widget(11), widget(11)))).toMatchObject({ allowed: true });
    expect(await ask('objects', reviewOf(widget(1, 'forbidden')))).toMatchObject({ allowed: false, status: { code: 422 } });
    expect(await ask('objects', reviewOf(null, widget(1, 'forbidden')))).toMatchObject({ allowed: false });
  });

  it('allows objects without a definition, with a warning', async () => {
    const foreign = { ...widget(1), apiVersion: 'other.example.com/v1' };
    expect(await ask('objects', reviewOf(foreign))).toMatchObject({
      allowed: true,
      warnings: [expect.stringContaining('the object was not judged')],
    });
  });

  it('reads its file of rules again after a change, and keeps the old rules if the new file is invalid', async () => {
    writeRules(sized(2));
    await expect.poll(async () => (await ask('objects', reviewOf(widget(3)))).allowed).toBe(false);
    writeFileSync(file, '{ broken');
    await new Promise((later) => setTimeout(later, 100));
    expect(await ask('objects', reviewOf(widget(3)))).toMatchObject({ allowed: false });
    writeRules(sized(10), POLICY, BINDING);
    await expect.poll(async () => (await ask('objects', reviewOf(widget(3)))).allowed).toBe(true);
  });

  it('rejects bodies that are not reviews, and reports if there are no rules', async () => {
    expect((await post('objects', {})).status).toBe(400);
    expect((await post('objects?name=x', reviewOf(widget(1)))).status).toBe(400);
    expect((await post('objects', reviewOf(widget(1)), 'application/yaml')).status).toBe(415);
    expect((await post('objects?kubernetesVersion=1.2', reviewOf(widget(1)))).status).toBe(400);
    expect((await post('objects?timeout=0s', reviewOf(widget(1)))).status).toBe(408);
    const bare = await startApi();
    const answer = await fetch(`${bare.url}/admission/objects`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(reviewOf(widget(1))),
    });
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('ASSAY_ADMISSION_FILE')]);
    await bare.app.close();
  });
});

describe('POST /admission/definitions', () => {
  const ofDefinition = (to: ReturnType<typeof sized> | null, from: ReturnType<typeof sized> | null = null) =>
    reviewOf(to, from, 'customresourcedefinitions');

  it('validates creates and updates as the chosen Kubernetes version does', async () => {
    expect(await ask('definitions', ofDefinition(sized(10)))).toMatchObject({ allowed: true });
    expect(await ask('definitions', ofDefinition(sized(10, 'self.sizes > 0')))).toMatchObject({
      allowed: false,
      status: { code: 422, message: expect.stringContaining("undefined field 'sizes'") as string },
    });
    const newer = sized(10, "isSemver('1.0.0')");
    expect(await ask('definitions?kubernetesVersion=1.30', ofDefinition(newer))).toMatchObject({ allowed: false });
    expect(await ask('definitions', ofDefinition(newer))).toMatchObject({ allowed: true });
    // If an update does not change a rule, a server compiles the rule with the functions for stored rules. So a version may accept the update
    // although it would reject a create.
    expect(await ask('definitions', ofDefinition(sized(11), sized(10)))).toMatchObject({ allowed: true });
    expect(
      await ask('definitions', ofDefinition({ ...sized(10), spec: { ...sized(10).spec, scope: 'Cluster' } }, sized(10))),
    ).toMatchObject({
      allowed: false,
      status: { message: expect.stringContaining('field is immutable') as string },
    });
    expect(await ask('definitions', ofDefinition(null, sized(10)))).toEqual({ uid: 'u-1', allowed: true });
  });
});
