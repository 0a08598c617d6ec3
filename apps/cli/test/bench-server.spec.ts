import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { StudyReport } from '#benchmark';
import { startProgram } from '../../../loadtests/src/load/start-program.ts';
import type { StartedProgram } from '../../../loadtests/src/load/start-program.ts';
import { testedArguments } from '../../../testing/app-arguments.ts';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { freePort } from '../../../testing/free-port.ts';
import { AssayProcess } from './assay-process.ts';
import { runAssay } from '../../../testing/run-assay.ts';
import type { AssayRun } from '../../../testing/run-assay.ts';
import { thorough } from '../../../testing/thorough.ts';

const scratch = mkdtempSync(join(tmpdir(), 'assay-bench-server-'));
const file = join(scratch, 'crd.yaml');
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns a definition with a rule over pairs of numbers in a list of at most `bound` elements. */
const definition = (bound: number): string =>
  stringify(
    customDefinition({
      kind: 'Widget',
      schema: {
        type: 'object',
        properties: { a: { type: 'array', maxItems: bound, items: { type: 'integer' } } },
        'x-kubernetes-validations': [{ rule: 'self.a.all(x, self.a.exists_one(y, x == y))' }],
      },
    }),
  );
/** Returns a definition whose study takes all of a long budget. */
function longDefinition(): string {
  const rules = Array.from({ length: 60 }, (_, i) => ({ rule: `self.a.all(x, x != ${i})` }));
  const schema = { type: 'object', properties: { a: { type: 'array', maxItems: 50, items: { type: 'integer' } } } };
  return JSON.stringify(customDefinition({ kind: 'Widget', schema: { ...schema, 'x-kubernetes-validations': rules } }));
}

let port: number;
let url: string;
let service: StartedProgram;
const startService = (): Promise<StartedProgram> =>
  startProgram({
    name: 'the service',
    command: process.execPath,
    args: testedArguments(),
    variables: {
      PORT: String(port),
      HOST: '127.0.0.1',
      ASSAY_THREADS: '2',
      ASSAY_MAX_LOOP_DELAY_MS: '0',
      ASSAY_JOURNAL: join(scratch, 'journal.sqlite'),
      ASSAY_KEYS_FILE: join(scratch, 'keys.json'),
    },
    ready: /listens on (http:\/\/\S+)/,
  });
beforeAll(async () => {
  const keys = [
    { name: 'bench', sha256: digest('token-bench'), roles: ['benchmark'], benchmarkMinutes: 600 },
    { name: 'poor', sha256: digest('token-poor'), roles: ['benchmark'], benchmarkMinutes: 0.5 },
    { name: 'plain', sha256: digest('token-plain') },
  ];
  writeFileSync(join(scratch, 'keys.json'), JSON.stringify(keys));
  const git = (...argv: string[]): void =>
    void execFileSync('git', ['-C', scratch, '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...argv]);
  git('init', '-q');
  writeFileSync(file, definition(30));
  git('add', 'crd.yaml');
  git('commit', '-qm', 'state');
  port = await freePort();
  service = await startService();
  url = service.match[1] ?? '';
});
beforeEach(() => writeFileSync(file, definition(30)));
afterAll(async () => {
  await service?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const start = (argv: readonly string[], key = 'token-bench'): AssayProcess => new AssayProcess(['bench', ...argv], { ASSAY_KEY: key });
const bench = (argv: readonly string[], key = 'token-bench'): Promise<AssayRun> =>
  runAssay(['bench', ...argv], { env: { ASSAY_KEY: key } });
const costs = ['--budget', '30s', '--no-times'];
const reportOf = async (argv: readonly string[]): Promise<StudyReport> => {
  const { status, stdout, stderr } = await bench([...argv, '-o', 'json']);
  expect(status, stderr + stdout).toBe(0);
  return JSON.parse(stdout) as StudyReport;
};
interface ListedStudy {
  readonly id: string;
  readonly state: string;
  /** Number of times that the study was restarted. */
  readonly restarts: number;
}
async function studies(): Promise<readonly ListedStudy[]> {
  const answer = await fetch(`${url}/benchmarks`, { headers: { authorization: 'Bearer token-bench' } });
  return ((await answer.json()) as { readonly benchmarks: readonly ListedStudy[] }).benchmarks;
}

describe('assay bench --server', () => {
  it('finds the same costs as without a server, and names the files of definitions', async () => {
    const argv = [file, ...costs, '--seed', '7'];
    const [here, there] = [await reportOf(argv), await reportOf([...argv, '--server', `${url}/`])];
    const [rule] = there.rules;
    expect(rule).toMatchObject({
      source: `${file}#1`,
      growsWith: [{ field: 'a', costExponent: 2, bound: 30 }],
      worst: { end: 'accepted' },
    });
    expect(there.rules).toEqual(here.rules);
    expect(there.definitions).toEqual(here.definitions);
    expect(there).toMatchObject({ seed: 7, budgetMs: 30_000, kubernetesVersion: '1.37', isPartial: false });
  });

  it.skipIf(!thorough)('measures times, and accepts a choice of rules, objects and a Kubernetes version', async () => {
    const object = join(scratch, 'object.yaml');
    writeFileSync(object, 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\na: [1, 2]\n');
    const more = ['--objects', object, '-k', '1.31', '--server', url];
    const { status, stdout, stderr } = await bench([file, '--budget', '3s', '--rule', 'exists_one', ...more]);
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/^Kubernetes 1\.31, 3 s, seed 1, Node v[^]*crd\.yaml#1: widgets\.example\.com: 1 rule\n[^]* 1 +a +n² /);
    const none = await bench([file, ...costs, '--rule', 'nothing like it', ...more]);
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('no rule is called so')]);
  });

  it.skipIf(!thorough)('compares with a revision, fails if a gate fails, and reports the position of the rule', async () => {
    writeFileSync(file, definition(60));
    const argv = [file, ...costs, '--base', 'HEAD', '--fail-on', 'cost-worse>10%', '--server', url];
    const text = await bench(argv);
    expect([text.status, text.stdout]).toEqual([1, expect.stringMatching(/Beside HEAD:[^]*Failed:\n.*crd\.yaml#1 .*cost-worse>10%/)]);
    const github = await bench([...argv, '-o', 'github']);
    expect([github.status, github.stdout]).toEqual([1, expect.stringMatching(/^::error file=.*crd\.yaml,line=\d+,col=\d+,.*cost-worse/m)]);
    writeFileSync(file, definition(30));
    expect((await bench(argv)).status).toBe(0);
  });

  it('exits with status 1 for a rejected definition', async () => {
    const refused = join(scratch, 'refused.yaml');
    writeFileSync(refused, definition(30).replace('x == y', 'x == z'));
    const text = await bench([refused, ...costs, '--server', url]);
    expect([text.status, text.stdout]).toEqual([1, expect.stringMatching(/refused\.yaml#1: widgets[^]*a server refuses it: .*z/)]);
  });

  it('shows its progress and that it waits, and stops the study when the user types Ctrl-C', async () => {
    const long = join(scratch, 'long.json');
    writeFileSync(long, longDefinition());
    const argv = [long, '--budget', '10m', '--server', url, '-o', 'json'];
    const running = start(argv);
    await running.says(' s left; ');
    const waiting = start(argv);
    await waiting.says('waits behind another study');
    expect((await studies()).slice(0, 2).map(({ state }) => state)).toEqual(['waiting', 'running']);
    for (const [assay, isKnown] of [
      [waiting, false],
      [running, true],
    ] as const) {
      assay.signal('SIGINT');
      expect(await assay.ended, assay.stderr).toBe(1);
      expect(assay.stderr).toContain('interrupted: the report is about what is known by now');
      const report = JSON.parse(assay.stdout) as StudyReport;
      expect(report.isPartial).toBe(true);
      expect(report.rules.some(({ source, growsWith }) => source === `${long}#1` && growsWith[0]?.field === 'a')).toBe(isKnown);
    }
    expect((await studies()).slice(0, 2).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
  });

  it.skipIf(!thorough)('stops the study at --timeout', async () => {
    const long = join(scratch, 'long.json');
    writeFileSync(long, longDefinition());
    const ended = start([long, '--budget', '10m', '--server', url, '--timeout', '6s']);
    expect([await ended.ended, ended.stderr]).toEqual([1, expect.stringContaining('stopped after 6000 ms')]);
    expect((await studies())[0]).toMatchObject({ state: 'cancelled' });
  });

  it('reports that another client stopped the study', async () => {
    const long = join(scratch, 'long.json');
    writeFileSync(long, longDefinition());
    const assay = start([long, '--budget', '10m', '--server', url]);
    await assay.says(' s left; ');
    const headers = { authorization: 'Bearer token-bench' };
    await fetch(`${url}/benchmarks/${(await studies())[0]?.id}`, { method: 'DELETE', headers });
    expect(await assay.ended, assay.stderr).toBe(1);
    expect(assay.stderr).toContain('somebody stopped the study at the service: the report is about what is known by now');
    expect(assay.stdout).toMatch(/GROWS WITH/);
  });

  it.skipIf(!thorough)('waits while the service restarts, and continues', async () => {
    const long = join(scratch, 'long.json');
    writeFileSync(long, longDefinition());
    const assay = start([long, '--budget', '20s', '--server', url, '-o', 'json']);
    await assay.says(' s left; ');
    await service.stop();
    await setTimeout(1500);
    service = await startService();
    expect(await assay.ended, assay.stderr).toBe(0);
    const report = JSON.parse(assay.stdout) as StudyReport;
    expect(report.rules).toHaveLength(60);
    expect(report.rules.every(({ source }) => source === `${long}#1`)).toBe(true);
    expect((await studies())[0]).toMatchObject({ state: 'complete', restarts: 1 });
  });

  it('requests the state if the connection for events breaks', async () => {
    const requested: string[] = [];
    const proxy = createServer((request, response) => {
      const path = request.url ?? '';
      requested.push(`${request.method} ${path.replace(/[0-9a-f-]{36}/, 'ID')}`);
      if (path.endsWith('/events')) return void response.destroy();
      const { host: _, ...headers } = request.headers;
      const onward = ask(`${url}${path}`, { method: request.method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onward);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port: at } = proxy.address() as AddressInfo;
    const report = await reportOf([file, ...costs, '--server', `http://127.0.0.1:${at}`]);
    proxy.close();
    expect(report).toMatchObject({ isPartial: false, rules: [{ source: `${file}#1`, worst: { end: 'accepted' } }] });
    const wanted = ['POST /benchmarks', 'GET /benchmarks/ID/events', 'GET /benchmarks/ID', 'GET /benchmarks/ID/report'];
    expect([...new Set(requested)]).toEqual(wanted);
  });

  it.each([
    ['a key that is unknown', 'token-of-nobody', '', /^assay: http:\S+ refuses POST \/benchmarks: 401 Unauthorized/],
    ['a key without the role', 'token-plain', '', /refuses POST \/benchmarks: 403 .*benchmark/],
    ['a path that is not there', 'token-bench', '/nowhere', /\/nowhere refuses POST \/benchmarks: 404 /],
    ['no thread time that is left', 'token-poor', '', /refuses POST \/benchmarks: 429 .*of thread time are left.* \(Retry-After \d+ s\)/],
  ])('exits with status 3 for %s', async (_, key, path, reported) => {
    const refused = await bench([file, '--budget', '60s', '--server', `${url}${path}`], key);
    expect([refused.status, refused.stdout, refused.stderr]).toEqual([3, '', expect.stringMatching(reported)]);
  });

  it('exits with status 3 if nothing answers, or if another program answers', async () => {
    const nobody = await bench([file, '--server', `http://127.0.0.1:${await freePort()}`]);
    expect([nobody.status, nobody.stdout, nobody.stderr]).toEqual([3, '', expect.stringMatching(/does not answer: .*ECONNREFUSED/)]);
    const other = createServer((_, response) => response.end('<p>Hello')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port: at } = other.address() as AddressInfo;
    const hello = await bench([file, '--server', `http://127.0.0.1:${at}`]);
    other.close();
    expect([hello.status, hello.stderr]).toEqual([3, expect.stringContaining('answers POST /benchmarks with no state of a study')]);
  });

  it.each([
    [['--go', 'program', '--server', 'http://127.0.0.1:1'], /--go and --server do not go together/],
    [['--server', 'localhost:8080'], /must be an address such as http/],
  ])('rejects %j', async (argv, reported) => {
    const { status, stderr } = await bench([file, ...argv]);
    expect([status, stderr]).toEqual([2, expect.stringMatching(reported)]);
  });
});
