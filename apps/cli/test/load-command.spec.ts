import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram } from '../../../loadtests/src/load/start-program.ts';
import type { StartedProgram } from '../../../loadtests/src/load/start-program.ts';
import { testedArguments } from '../../../testing/app-arguments.ts';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { freePort } from '../../../testing/free-port.ts';
import type { LoadReport } from '../src/commands/load/report.ts';
import { ASSAY, AssayProcess } from './assay-process.ts';
import { runAssay } from '../../../testing/run-assay.ts';
import { thorough } from '../../../testing/thorough.ts';

const KEY = 'a-token-of-this-spec';
const SOURCE = ['--conditions=source', resolve(import.meta.dirname, '../src/assay.ts')];
/**
 * Program that runs `assay load`: the bundle if the project is built, otherwise the source. Only a built project contains the load driver
 * beside the bundle.
 */
const PROGRAM = process.env['ASSAY_BUILT'] === undefined ? SOURCE : [ASSAY];

const scratch = mkdtempSync(join(tmpdir(), 'assay-load-'));
const folder = join(scratch, 'widgets');
let service: StartedProgram;
let url: string;
beforeAll(async () => {
  const keys = [{ name: 'load', sha256: createHash('sha256').update(KEY).digest('hex') }];
  writeFileSync(join(scratch, 'keys.json'), JSON.stringify(keys));
  mkdirSync(folder);
  const schema = {
    type: 'object',
    properties: {
      sizes: {
        type: 'array',
        maxItems: 40,
        items: { type: 'integer' },
        'x-kubernetes-validations': [{ rule: 'self.all(s, self.exists(t, t >= s && s > 0))' }],
      },
    },
  };
  writeFileSync(join(folder, 'crd.json'), JSON.stringify(customDefinition({ kind: 'Widget', schema })));
  const widget = (name: string, size: number): string =>
    `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: ${name}}\nsizes: [${size}]\n`;
  writeFileSync(join(folder, 'widgets.yaml'), `${widget('good', 1)}---\n${widget('bad', -1)}`);
  service = await startProgram({
    name: 'the service',
    command: process.execPath,
    args: testedArguments(),
    variables: {
      PORT: '0',
      HOST: '127.0.0.1',
      ASSAY_THREADS: '1',
      ASSAY_MAX_LOOP_DELAY_MS: '0',
      ASSAY_JOURNAL: join(scratch, 'journal.sqlite'),
      ASSAY_KEYS_FILE: join(scratch, 'keys.json'),
      // The service sends traces to this address, but nothing listens there.
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    },
    ready: /listens on (http:\/\/\S+)/,
  });
  url = service.match[1] ?? '';
});
afterAll(async () => {
  await service?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const start = (argv: readonly string[], env: Readonly<Record<string, string>> = { ASSAY_KEY: KEY }): AssayProcess =>
  new AssayProcess(['load', ...argv], env, PROGRAM);
interface Ended {
  readonly status: unknown;
  readonly stdout: string;
  readonly stderr: string;
}
const load = (...argv: readonly string[]): Promise<Ended> => loadAs(KEY, ...argv);

/** Runs `assay load` with a key: in the process of all specs if the project is built, otherwise in a new one. */
async function loadAs(key: string, ...argv: readonly string[]): Promise<Ended> {
  if (PROGRAM !== SOURCE) return runAssay(['load', ...argv], { env: { ASSAY_KEY: key } });
  const assay = start(argv, { ASSAY_KEY: key });
  const status = await assay.ended;
  return { status, stdout: assay.stdout, stderr: assay.stderr };
}
async function reportOf(...argv: readonly string[]): Promise<LoadReport> {
  const { status, stdout, stderr } = await load(...argv, '-o', 'json');
  expect(status, stderr + stdout).toBe(0);
  // A missing number must have no field, and not the value null.
  expect(stdout).not.toMatch(/null|NaN/);
  return JSON.parse(stdout) as LoadReport;
}

describe('assay load', () => {
  it('sends objects at a rate, and measures latencies from the planned send times', async () => {
    const { status, stdout, stderr } = await load(url, '-f', folder, '--rate', '40', '--duration', '3s');
    expect(status, stderr + stdout).toBe(0);
    expect(stdout).toMatch(
      /^Load +http:\S+: open, 40 requests\/s, \d+\.\d s; 2 objects in turn\nRequests +120; \d+\.\d\/s with a 2xx; 0 failed/,
    );
    expect(stdout).toMatch(
      /\nObjects +60 accepted, 60 refused; \d+\.\d\/s\nLatency +p50 \S+ +p90 \S+ +p99 – +p99.9 – +max [\d.]+ +\(ms\)\n +from when a request was due/,
    );
    expect(stdout).toMatch(
      /\nStatuses +200: 120\nErrors +none\nSlowest +([\d.]+ ms   200   [0-9a-f]{32}\n +){4}[\d.]+ ms   200   [0-9a-f]{32}\n$/,
    );
  });

  it.skipIf(!thorough)('sends as many objects as the service can answer, over several connections and in batches', async () => {
    const traces = 'http://localhost:16686/';
    const report = await reportOf(url, folder, '--connections', '2', '--duration', '2s', '--batch', '3', '--traces', traces);
    const { requests, answered, unanswered, verdicts, latencies, slowest } = report;
    expect(report).toMatchObject({
      schema: 'assay.dev/load/v1',
      url,
      pace: { kind: 'closed', connections: 2 },
      objects: { kind: 'given', count: 2, batch: 3 },
      isInterrupted: false,
      isTraced: true,
      failed: 0,
      notSent: 0,
      statuses: [{ code: 200, requests: answered }],
      errors: [],
      latencies: { from: 'sent', samples: answered },
    });
    expect(requests).toBe(answered + unanswered);
    expect(verdicts.accepted + verdicts.rejected).toBe(3 * answered);
    expect(latencies?.p50).toBeGreaterThan(0);
    for (const { trace, traceId } of slowest) expect(trace).toBe(`http://localhost:16686/trace/${traceId}`);
  });

  it.skipIf(!thorough)('sends the most expensive writes that a study found', async () => {
    const report = await reportOf(url, join(folder, 'crd.json'), '--worst', '--budget', '20s', '--rate', '10', '--duration', '1s');
    expect(report).toMatchObject({
      objects: { kind: 'worst', count: 1 },
      requests: 10,
      verdicts: { accepted: 10 },
      latencies: { from: 'due' },
    });
    expect(report.objects.costliestCost).toBeGreaterThan(1000);
  });

  it('ends when the user types Ctrl-C, and prints its results so far', async () => {
    const assay = start([url, folder, '--rate', '20', '--duration', '10m', '-o', 'json']);
    await assay.says(/ of 600 s: [1-9]/);
    assay.signal('SIGINT');
    expect(await assay.ended, assay.stderr).toBe(0);
    const report = JSON.parse(assay.stdout) as LoadReport;
    expect(report).toMatchObject({ isInterrupted: true, failed: 0 });
    expect(report.answered).toBeGreaterThan(0);
    expect(report.answered).toBeLessThan(12_000);
  });

  it('fails without an answer, or if the service rejects the requests', async () => {
    const nobody = await load(`http://127.0.0.1:${await freePort()}`, folder);
    expect(nobody).toMatchObject({ status: 3, stdout: '' });
    expect(nobody.stderr).toMatch(/^assay: http:\S+ does not answer: .*ECONNREFUSED/);
    const unknown = await loadAs('another', url, folder);
    expect(unknown.status).toBe(3);
    expect(unknown.stderr).toMatch(/^assay: http:\S+ refuses PUT \/definitions\/sha256:[0-9a-f]{64}: 401 Unauthorized/);
  });

  it('sends nothing to another machine without --yes, and nothing without objects or a definition', async () => {
    expect(await load('http://192.0.2.1', folder)).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('192.0.2.1 is not this machine') as string,
    });
    expect(await load(url, join(folder, 'crd.json'))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no object was found') as string,
    });
    expect(await load(url, join(folder, 'widgets.yaml'))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no CustomResourceDefinition was found') as string,
    });
  });
});
