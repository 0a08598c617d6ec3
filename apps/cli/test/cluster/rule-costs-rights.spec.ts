import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { answerJson, answerStatus, FakeApiServer, FakeDefinitions } from '../../../../libs/cluster/testing/fake-api-server.ts';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { runAssay } from '../../../../testing/run-assay.ts';
import type { ClusterLoadReport } from '../../src/commands/load/cluster/report.ts';
import { AssayProcess } from '../assay-process.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const INSTEAD = 'so the growth over a ladder of sizes is measured instead';
const IS_BUILT = process.env['ASSAY_BUILT'] !== undefined;
const SOURCE = ['--conditions=source', resolve(import.meta.dirname, '../../src/assay.ts')];
const sizes = {
  type: 'array',
  maxItems: 160,
  items: { type: 'integer' },
  'x-kubernetes-validations': [{ rule: 'self.all(s, s >= 0)' }],
};
const definition = customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { sizes } } });

const folder = mkdtempSync(join(tmpdir(), 'assay-rule-costs-rights-'));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

let server: FakeApiServer;
let fake: FakeDefinitions;
beforeAll(async () => {
  server = await FakeApiServer.start({});
  write('crd.json', JSON.stringify(definition));
  write('kubeconfig', server.kubeconfig);
});
afterEach(() => {
  server.always.length = 0;
  server.requests.length = 0;
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Lets the server store the definition of the file, and answer dry runs of its objects. */
function serveDefinition(): void {
  fake = new FakeDefinitions();
  fake.stored.set('widgets.example.com', { metadata: { name: 'widgets.example.com', uid: '1' }, spec: { group: 'example.com' } });
  server.always.push(fake.answer);
}

/** Answers access reviews: the user has no right to `verb` definitions, and every other right. */
function deny(verb: 'create' | 'delete'): void {
  server.always.unshift((request, response) => {
    if (request.url !== REVIEWS) return false;
    let text = '';
    request.on('data', (part) => (text += String(part)));
    request.on('end', () => {
      const isDenied = text.includes(`"verb":"${verb}"`) && text.includes('"resource":"customresourcedefinitions"');
      answerJson(response, 201, { status: { allowed: !isDenied } });
    });
    return true;
  });
}

/** Answers 403 to the creation of definitions. The server offers no access reviews. */
const forbidCreation = (): void =>
  void server.always.unshift((request, response) => {
    if (`${request.method} ${request.url}` !== `POST ${DEFINITIONS}`) return false;
    request.resume();
    return answerStatus(response, 403, 'Forbidden', 'customresourcedefinitions is forbidden');
  });

async function measure(...more: readonly string[]) {
  const argv = ['load', '--cluster', '--kubeconfig', join(folder, 'kubeconfig'), '--temporary-definitions', '-f', join(folder, 'crd.json')];
  const all = [...argv, '--budget', '2s', '--duration', '1s', '--rate', '200', ...more];
  if (IS_BUILT) return runAssay(all);
  const assay = new AssayProcess(all, {}, SOURCE);
  const status = await assay.ended;
  return { status, stdout: assay.stdout, stderr: assay.stderr };
}
const creations = (): number => server.requests.filter((line) => line === `POST ${DEFINITIONS}`).length;
const dryRuns = (): number => server.requests.filter((line) => /^POST .*\/widgets\?dryRun=All/.test(line)).length;

describe('assay load --cluster --temporary-definitions without the right to create and delete definitions', () => {
  it.each(['create', 'delete'] as const)('measures the growth over five sizes if the user may not %s definitions', async (verb) => {
    serveDefinition();
    deny(verb);
    const ended = await measure('-o', 'json');
    expect(ended.status, ended.stderr).toBe(0);
    expect(ended.stderr).toContain(`fake: you may not ${verb} customresourcedefinitions.apiextensions.k8s.io`);
    expect(ended.stderr).toContain(INSTEAD);
    const report: ClusterLoadReport = JSON.parse(ended.stdout);
    expect(report).toMatchObject({ schema: 'assay.dev/cluster-load/v1', workload: 'worst', isAlone: true, rate: 200, durationMs: 1000 });
    expect(report.rights).toEqual({ kind: 'allowed' });
    expect(report.writes.map(({ size }) => size)).toEqual([10, 40, 80, 120, 160]);
    expect(report.growth).toMatchObject([{ rule: 'self.all(s, s >= 0)' }]);
    expect([creations(), dryRuns() > 5]).toEqual([0, true]);
  });

  it('measures the growth and draws it if the server forbids the first temporary definition', async () => {
    serveDefinition();
    forbidCreation();
    const ended = await measure('-o', 'html');
    expect(ended.status, ended.stderr).toBe(0);
    expect(ended.stderr).toMatch(/you may not create definitions: fake: .*customresourcedefinitions is forbidden \(403\)/);
    expect(ended.stderr).toContain(INSTEAD);
    expect(ended.stdout).toMatch(/^<!doctype html>/);
    expect([creations(), [...fake.stored.keys()]]).toEqual([1, ['widgets.example.com']]);
  });

  it('opens a new connection after each search, because a server closes unused ones', async () => {
    serveDefinition();
    forbidCreation();
    const sockets = new Map<string, object>();
    server.always.unshift(({ method, url = '', socket }) => {
      const line = `${method} ${url.split('?', 1)[0]}`;
      if (!sockets.has(line)) sockets.set(line, socket);
      return false;
    });
    expect((await measure()).status).toBe(0);
    const writes = ['POST /apis/example.com/v1/namespaces/default/widgets', `POST ${DEFINITIONS}`, `POST ${REVIEWS}`];
    expect([...sockets.keys()]).toEqual(expect.arrayContaining(writes));
    expect(new Set(writes.map((line) => sockets.get(line))).size).toBe(3);
  });

  it('needs a definition that is on the server', async () => {
    deny('create');
    const ended = await measure();
    expect(ended.status).toBe(3);
    expect(ended.stderr).toMatch(/\(404\)\. Does the server have this definition/);
  });

  it('needs --yes for a load on another machine', async () => {
    serveDefinition();
    deny('create');
    // This address leads to this machine, but it is no loopback address.
    const elsewhere = write('elsewhere', server.kubeconfig.replace('127.0.0.1', '0.0.0.0'));
    const refused = await measure('--kubeconfig', elsewhere, '--yes-create-definitions');
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /you may not create \S+ \(SelfSubjectAccessReview\)\. .* is not this machine: .* --yes says that you may load it/,
    );
    expect(refused.stderr).not.toContain(INSTEAD);
    expect(dryRuns()).toBe(0);
    const allowed = await measure('--kubeconfig', elsewhere, '--yes-create-definitions', '--yes', '-o', 'json');
    expect(allowed.status, allowed.stderr).toBe(0);
    expect(allowed.stderr).toContain(INSTEAD);
  });
});
