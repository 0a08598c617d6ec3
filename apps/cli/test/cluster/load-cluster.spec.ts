import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { answerJson, answerStatus, FakeApiServer } from '../../../../libs/cluster/testing/fake-api-server.ts';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { runAssay } from '../../../../testing/run-assay.ts';
import { sampled } from '../../../../testing/thorough.ts';
import type { ClusterLoadReport } from '../../src/commands/load/cluster/report.ts';
import { ASSAY, AssayProcess, withoutProgress } from '../assay-process.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const WIDGETS = '/apis/example.com/v1/namespaces/mine/widgets';
const TOKEN = 'token-that-nobody-may-see';
const CONTENT = 424_242;
/** Arguments of Node that start the command line: the bundle if the project is built, otherwise the source. */
const IS_BUILT = process.env['ASSAY_BUILT'] !== undefined;
const PROGRAM = IS_BUILT ? [ASSAY] : ['--conditions=source', resolve(import.meta.dirname, '../../src/assay.ts')];

const schema = {
  type: 'object',
  properties: {
    sizes: {
      type: 'array',
      maxItems: 160,
      items: { type: 'integer' },
      'x-kubernetes-validations': [{ rule: 'self.all(s, s >= 0)' }],
    },
  },
};
const definition = customDefinition({ kind: 'Widget', schema });
const folder = mkdtempSync(join(tmpdir(), 'assay-load-cluster-'));
const write = (name: string, document: object | string): string => {
  const file = join(folder, name);
  writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document));
  return file;
};
const widget = (name: string, ...sizes: readonly number[]) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'mine' },
  sizes,
});

let server: FakeApiServer;
/** Texts of the objects that were sent. */
const bodies: string[] = [];
let good: string;
beforeAll(async () => {
  server = await FakeApiServer.start({ [DEFINITIONS]: [definition] });
  good = write('good.json', widget('good', 1, CONTENT));
  write('crd.json', definition);
  write('kubeconfig', server.kubeconfig.replace('"secret"', JSON.stringify(TOKEN)));
});
afterEach(() => {
  server.always.length = 0;
  server.requests.length = 0;
  bodies.length = 0;
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Answers the discovery of the group, and each create with `answer`. */
function answerCreates(answer: (request: IncomingMessage, response: ServerResponse, text: string) => void): void {
  server.always.push((request, response) => {
    const url = request.url ?? '';
    if (url === '/apis/example.com/v1') {
      answerJson(response, 200, { resources: [{ name: 'widgets', kind: 'Widget' }] });
      return true;
    }
    if (request.method !== 'POST' || !url.includes('/widgets?')) return false;
    let text = '';
    request.on('data', (part) => (text += String(part)));
    request.on('end', () => {
      bodies.push(text);
      answer(request, response, text);
    });
    return true;
  });
}
const accept = (_: unknown, response: ServerResponse, text: string): void =>
  void response.writeHead(201, { 'content-type': 'application/json' }).end(text);

interface Ended {
  readonly status: unknown;
  readonly stdout: string;
  readonly stderr: string;
}
const commandOf = (argv: readonly string[]): string[] => ['load', '--cluster', '--kubeconfig', join(folder, 'kubeconfig'), ...argv];
const start = (...argv: readonly string[]): AssayProcess => new AssayProcess(commandOf(argv), {}, PROGRAM);

/** Runs the command: in the process of all specs if the project is built, otherwise in a new one. */
async function load(...argv: readonly string[]): Promise<Ended> {
  const assay = IS_BUILT ? undefined : start(...argv);
  const { status, stdout, stderr } = assay ? { status: await assay.ended, ...outputOf(assay) } : await runAssay(commandOf(argv));
  // Neither credentials nor contents of objects are ever printed.
  expect(stdout + stderr).not.toMatch(new RegExp(`${TOKEN}|${CONTENT}`));
  return { status, stdout, stderr: withoutProgress(stderr) };
}
const outputOf = ({ stdout, stderr }: AssayProcess) => ({ stdout, stderr });
function reportIn({ stdout }: Pick<Ended, 'stdout'>): ClusterLoadReport {
  const report: ClusterLoadReport = JSON.parse(stdout);
  return report;
}

describe('assay load --cluster', () => {
  it('sends the given objects as dry runs under a new name, and reports their costs and times', async () => {
    answerCreates(accept);
    const ended = await load(good, '--duration', '1s', '--rate', '30', '-o', 'json');
    expect(ended.status, ended.stderr).toBe(0);
    const report = reportIn(ended);
    expect(report).toMatchObject({
      schema: 'assay.dev/cluster-load/v1',
      cluster: 'fake',
      rate: 30,
      isAlone: false,
      workload: 'given',
      requests: 30,
      failed: 0,
      notSent: 0,
      statuses: [{ code: 201, requests: 30 }],
      rights: { kind: 'notChecked', reason: 'the server offers no access reviews (404)' },
      latencies: { from: 'due', samples: 30 },
      writes: [
        { definition: 'widgets.example.com', cost: 12, expected: 'accepted', predicted: { kind: 'predicted' }, sent: 30, failed: 0 },
      ],
      growth: [],
      leftOut: [],
      serverHistograms: { kind: 'notRead' },
    });
    for (const body of bodies) expect(body).toContain(`"metadata":{"name":"${report.name}","namespace":"mine"}`);
    expect(report.name).toMatch(/^assay-load-[0-9a-f]{8}$/);
    const writes = server.requests.filter((request) => !request.startsWith('GET '));
    expect(new Set(writes)).toEqual(new Set([`POST ${REVIEWS}`, `POST ${WIDGETS}?dryRun=All&fieldValidation=Warn`]));
    expect(ended.stderr).toMatch(
      /sends 1 create of widgets\.example\.com in turn to fake \(http:\S+\): 30 writes\/s for 1\.0 s, at most 30 writes/,
    );
    expect(ended.stderr).toContain('nothing is stored, but dry runs load the server and call its admission webhooks');
  });

  it('sends the most expensive writes of the rules in five sizes, and reports the growth of each rule', async () => {
    answerCreates(accept);
    const ended = await load(join(folder, 'crd.json'), '--worst', '--budget', '2s', '--duration', '2s', '--rate', '200', '-o', 'json');
    expect(ended.status, ended.stderr).toBe(0);
    const report = reportIn(ended);
    expect(report.isAlone).toBe(true);
    expect(report.writes.map(({ size }) => size)).toEqual([10, 40, 80, 120, 160]);
    expect(report.writes.map(({ cost }) => cost)).toEqual([52, 202, 402, 602, 802]);
    for (const { predicted } of report.writes) expect(predicted).toMatchObject({ kind: 'predicted', family: 'comprehensions over lists' });
    expect(report.growth).toMatchObject([{ definition: 'widgets.example.com', version: 'v1', rule: 'self.all(s, s >= 0)' }]);
    expect(server.requests.filter((request) => !request.startsWith('GET ')).every((one) => /dryRun=All|selfsubject/.test(one))).toBe(true);
  });

  it('prints the growth of the rules and the predicted times', async () => {
    answerCreates(accept);
    const { stdout } = await load(join(folder, 'crd.json'), '--worst', '--budget', '2s', '--duration', '2s', '--rate', '100');
    expect(stdout).toMatch(/\nGrowth +(?:undecided \(|time size\^)/);
    expect(stdout).toMatch(/PREDICTED ms/);
  });

  it('writes a page with plots', async () => {
    answerCreates(accept);
    const { stdout, status } = await load(join(folder, 'crd.json'), '--worst', '--budget', '2s', '--duration', '1s', '-o', 'html');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^<!doctype html>/);
    expect(stdout).toContain('<title>predicted: rules alone: ');
  });

  const refusals: readonly (readonly [code: number, requests: number, sentence: RegExp])[] = [
    [401, 1, /the server does not know who asks \(401\)/],
    [403, 1, /widgets is forbidden for Bearer … \(403\)/],
    [404, 1, /\(404\)\. Does the server have this definition/],
    [409, 1, /the server stores an object of this name/],
    [429, 1, /asks for fewer requests \(429\)/],
    [500, 5, /5 writes in a row failed: .*\(500\)/],
    [503, 5, /5 writes in a row failed: .*\(503\)/],
  ];

  it.each(sampled(refusals, 2))('ends with a report if the server answers with %i', async (code, requests, sentence) => {
    answerCreates((request, response) => {
      const message = `widgets is forbidden for ${String(request.headers.authorization)}`;
      answerJson(response, code, { kind: 'Status', status: 'Failure', reason: 'No', message, code }, { 'retry-after': '7' });
    });
    const ended = await load(good, '--duration', '5s', '-o', 'json');
    expect(ended.status).toBe(3);
    const report = reportIn(ended);
    expect(report).toMatchObject({ statuses: [{ code }], serverHistograms: { kind: 'notRead' } });
    // A busy machine notices the end late. Without the end, the load would send 100 writes.
    expect(report.requests).toBeLessThan(requests + 20);
    expect(report.earlyEnd?.sentence).toMatch(sentence);
    expect(ended.stderr).toMatch(sentence);
  });

  it.each([
    ['markup', (response: ServerResponse) => void response.writeHead(201).end('<html>welcome</html>'), /no JSON object \(201\)/],
    ['half an answer', (response: ServerResponse) => void response.writeHead(201).end('{"kind":'), /no JSON object \(201\)/],
    ['an endless answer', endless, /has more than \d+ bytes|no answer for 1 s/],
    ['nothing', () => undefined, /no answer for 1 s/],
    ['a broken connection', (response: ServerResponse) => void response.socket?.destroy(), /cannot be reached/],
    [
      'an answer that breaks off',
      (response: ServerResponse) => {
        response.writeHead(201, { 'content-length': '99' }).write('{');
        setTimeout(() => response.socket?.destroy(), 10);
      },
      /cannot be reached/,
    ],
  ])('reports a server that answers with %s', async (_, answer, sentence) => {
    answerCreates((_request, response) => answer(response));
    const ended = await load(good, '--duration', '4s', '--stop-at', '1s', '-o', 'json');
    expect(ended.status).toBe(3);
    expect(reportIn(ended).earlyEnd?.sentence).toMatch(sentence);
    expect(ended.stderr).toMatch(/the load ended early/);
  });

  it('reports what it measured before the server failed', async () => {
    let answered = 0;
    answerCreates((request, response, text) => {
      if (++answered <= 12) accept(request, response, text);
      else answerStatus(response, 503, 'ServiceUnavailable', 'too busy');
    });
    const ended = await load(good, '--duration', '5s', '--rate', '50', '-o', 'json');
    expect(ended.status).toBe(1);
    expect(reportIn(ended)).toMatchObject({
      latencies: { samples: 12 },
      earlyEnd: { why: 'errors' },
      writes: [{ latencies: { samples: 12 } }],
    });
  });

  it('names an object on which the server and Assay disagree, without its contents', async () => {
    answerCreates((_, response) => {
      const causes = [{ field: 'sizes', message: `Invalid value: ${CONTENT}` }];
      const status = { kind: 'Status', reason: 'Invalid', message: `sizes: Invalid value: ${CONTENT}`, details: { causes }, code: 422 };
      answerJson(response, 422, status);
    });
    const ended = await load(good, '--duration', '2s');
    expect(ended.status).toBe(3);
    expect(ended.stdout).toMatch(
      /Problems +\S+good\.json#1: the server refuses an object that Assay accepts\. .* invalid at sizes \(422\)/,
    );
  });

  it("checks the user's rights first, if the server offers such a check", async () => {
    answerCreates(accept);
    let isAllowed = true;
    server.always.push((request, response) => {
      if (request.url !== REVIEWS) return false;
      answerJson(response, 201, { status: { allowed: isAllowed } });
      return true;
    });
    const allowed = await load(good, '--duration', '1s', '-o', 'json');
    expect(reportIn(allowed).rights).toEqual({ kind: 'allowed' });
    isAllowed = false;
    bodies.length = 0;
    const denied = await load(good, '--duration', '1s');
    expect(denied).toMatchObject({ status: 2, stdout: '' });
    expect(denied.stderr).toContain('fake: you may not create widgets.example.com in the namespace mine');
    expect(bodies).toEqual([]);
  });

  it("reads the server's histograms before and after the load", async () => {
    let count = 100;
    answerCreates((request, response, text) => {
      count += 1;
      accept(request, response, text);
    });
    const labels = 'dry_run="All",group="example.com",resource="widgets",verb="POST"';
    server.always.push((request, response) => {
      if (request.url !== '/metrics') return false;
      response.end(
        [
          '# TYPE apiserver_request_duration_seconds histogram',
          `apiserver_request_duration_seconds_bucket{${labels},le="1"} ${count}`,
          `apiserver_request_duration_seconds_sum{${labels}} ${count * 0.004}`,
          `apiserver_request_duration_seconds_count{${labels}} ${count}`,
          'apiserver_request_duration_seconds_count{dry_run="",resource="widgets",verb="POST"} 7',
          `apiserver_cel_evaluation_duration_seconds_sum ${count * 0.001}`,
          `apiserver_cel_evaluation_duration_seconds_count ${count}`,
        ].join('\n'),
      );
      return true;
    });
    const { stdout } = await load(good, '--duration', '1s');
    expect(stdout).toMatch(
      /\nServer +apiserver_request_duration_seconds: 20, mean 4\.000 ms\n +apiserver_cel_evaluation_duration_seconds: 20, mean 1\.000 ms\n/,
    );
  });

  it('ends when the user types Ctrl-C, and prints its results so far', async () => {
    answerCreates(accept);
    const assay = start(good, '--duration', '5m', '-o', 'json');
    await assay.says(/ of 300 s: [1-9]/);
    assay.signal('SIGINT');
    expect(await assay.ended, assay.stderr).toBe(0);
    expect(reportIn(assay)).toMatchObject({ isInterrupted: true, failed: 0 });
  });

  it('sends nothing to another machine without --yes', async () => {
    const elsewhere = write('elsewhere', server.kubeconfig.replace(server.url, 'https://cluster.invalid:6443'));
    const ended = await load(good, '--kubeconfig', elsewhere);
    expect(ended).toMatchObject({ status: 2, stdout: '' });
    expect(ended.stderr).toMatch(/fake \(https:\/\/cluster\.invalid:6443\) is not this machine: .* --yes says that you may load it/);
    expect(server.requests).toEqual([]);
  });

  it('does not send objects without a definition', async () => {
    answerCreates(accept);
    const secret = write('secret.json', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { a: String(CONTENT) } });
    const mixed = await load(good, secret, '--duration', '1s', '-o', 'json');
    expect(reportIn(mixed).leftOut).toEqual([{ what: `${secret}#1`, reason: 'no CustomResourceDefinition defines its kind' }]);
    const alone = await load(secret);
    expect(alone.status).toBe(2);
    expect(alone.stderr).toContain('no object can be sent');
  });
});

/** Sends an answer that does not end. */
function endless(response: ServerResponse): void {
  response.writeHead(201);
  const more = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(1 << 16, ' ')));
  };
  response.on('drain', more);
  more();
}
