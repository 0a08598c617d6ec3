import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerStatus, FakeApiServer, FakeDefinitions } from '../../../libs/cluster/testing/fake-api-server.ts';
import { customDefinition } from '../../../testing/custom-definition.ts';
import type { RuleCostReport } from '../src/commands/load/rule-costs/report.ts';
import { sampled, thorough } from '../../../testing/thorough.ts';
import { ASSAY, AssayProcess } from './assay-process.ts';

const SOURCE = ['--conditions=source', resolve(import.meta.dirname, '../src/assay.ts')];
/** Program that is tested: the bundle if the project is built, otherwise the source. */
const PROGRAM = process.env['ASSAY_BUILT'] === undefined ? SOURCE : [ASSAY];
const SCHEMA = {
  type: 'object',
  properties: {
    sizes: {
      type: 'array',
      maxItems: 40,
      items: { type: 'integer' },
      'x-kubernetes-validations': [{ rule: 'self.all(s, self.exists(t, t >= s))' }, { rule: 'self.size() < 50' }],
    },
  },
};
const DEFINITION = customDefinition({ kind: 'Widget', schema: SCHEMA });

/** Times in ms in which the fake answers, by the label of a copy. The first rule takes 30 ms, and the second takes no time. */
const DELAYS: Readonly<Record<string, number>> = { whole: 40, equal: 40, bare: 10, 'without-1': 10, 'without-2': 40 };

describe('assay load --cluster --temporary-definitions', () => {
  let scratch: string;
  let server: FakeApiServer;
  let fake: FakeDefinitions;
  let kubeconfig: string;

  beforeEach(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'assay-rule-costs-'));
    server = await FakeApiServer.start({});
    fake = new FakeDefinitions();
    fake.delayOf = ({ spec: { group } }) => DELAYS[group.split('.')[0] ?? ''] ?? 0;
    server.always.push(fake.answer);
    kubeconfig = join(scratch, 'kubeconfig');
    writeFileSync(kubeconfig, server.kubeconfig);
    writeFileSync(join(scratch, 'crd.json'), JSON.stringify(DEFINITION));
  });
  afterEach(async () => {
    await server.stop();
    rmSync(scratch, { recursive: true, force: true });
  });

  const start = (...more: string[]): AssayProcess =>
    new AssayProcess(['load', '--cluster', '--kubeconfig', kubeconfig, ...more], { COLUMNS: '200' }, PROGRAM);
  const measure = (...more: string[]): AssayProcess =>
    start('--temporary-definitions', '-f', join(scratch, 'crd.json'), '--budget', '20s', '--duration', '4s', '--rate', '500', ...more);
  const json = async (run: AssayProcess): Promise<RuleCostReport> => {
    await run.ended;
    const report: RuleCostReport = JSON.parse(run.stdout);
    return report;
  };
  /** Answers the request with number `place` of all that `isMeant` selects in another way. */
  const instead = (place: number, isMeant: (line: string) => boolean, answer: (response: ServerResponse) => void): void => {
    let seen = 0;
    server.always.unshift((request, response) => {
      if (!isMeant(`${request.method} ${request.url}`) || ++seen !== place) return false;
      request.resume();
      answer(response);
      return true;
    });
  };
  const isCreation = (line: string): boolean => line === 'POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const isDryRun = (line: string): boolean => line.endsWith('?dryRun=All');

  it('reports the time that each rule adds beside its cost, and removes the temporary definitions', async () => {
    const run = measure('-o', 'json', '--duration', thorough ? '12s' : '6s');
    const report = await json(run);
    expect([await run.ended, fake.stored.size]).toEqual([0, 0]);
    expect(report).toMatchObject({ schema: 'assay.dev/rule-costs/v1', cluster: 'fake', version: 'v1.36.1', isInterrupted: false });
    const [first, second] = report.rules;
    expect(first).toMatchObject({ rule: 'self.all(s, self.exists(t, t >= s))', codes: { with: 201, without: 201 } });
    expect(first?.cost).toBeGreaterThan(1000);
    // A timer may end a millisecond early. A busy machine only adds time.
    expect(first?.withMs).toBeGreaterThan(39);
    expect(first?.withoutMs).toBeGreaterThan(9);
    expect(second?.rule).toBe('self.size() < 50');
    expect(second?.added.verdict).not.toBe('adds');
    expect(report.control?.added.verdict).not.toBe('adds');
    expect(report.allRules?.withMs).toBeGreaterThan(39);
    expect(report.definitions).toEqual({
      removed: ['whole', 'equal', 'bare', 'without-1', 'without-2'].map((label) => `widgets.${label}.${report.run}.assay.dev`),
      left: [],
    });
    const writes = server.requests.filter(
      (line) => line.startsWith('POST') && !isCreation(line) && !line.includes('/selfsubjectaccessreviews'),
    );
    const pairs = [report.control, report.allRules, first, second].reduce((sum, one) => sum + (one?.pairs ?? 0), 0);
    expect(pairs).toBeGreaterThan(0);
    expect(writes.length).toBeGreaterThanOrEqual(2 * pairs);
    expect(writes.filter((line) => !isDryRun(line))).toEqual([]);
    expect(server.requests.filter((line) => line.includes('/selfsubjectaccessreviews'))).toHaveLength(2);
    expect(run.stderr).toContain(`creates 5 temporary definitions in fake (run ${report.run})`);
    expect(run.stdout + run.stderr).not.toContain('secret');
  });

  it.each(sampled([403, 409, 422, 500], 3))(
    'leaves no definition on the server if the server answers %i to the third creation',
    async (code) => {
      instead(3, isCreation, (response) => answerStatus(response, code, 'No', 'no more definitions'));
      const run = measure();
      expect([await run.ended, fake.stored.size]).toEqual([1, 0]);
      expect(run.stdout).toContain(`a temporary definition was not created: fake:`);
      expect(run.stdout).toMatch(/[23] temporary definitions removed/);
      expect(server.requests.filter(isDryRun)).toEqual([]);
    },
  );

  it.each(sampled([429, 503], 2))('ends with the results so far if the server answers %i to a write', async (code) => {
    instead(60, isDryRun, (response) => answerStatus(response, code, 'Busy', 'ask later'));
    const run = measure('-o', 'json');
    const report = await json(run);
    expect([await run.ended, fake.stored.size]).toEqual([1, 0]);
    expect(report.stopped).toContain(`ask later (${code})`);
    expect(report.rules[0]?.pairs).toBeGreaterThan(2);
    expect(server.requests.filter(isDryRun)).toHaveLength(60);
  });

  it('names the definitions that remain if the server ends, and the command that removes them', async () => {
    instead(60, isDryRun, () => void server.stop());
    const run = measure();
    expect(await run.ended).toBe(1);
    expect(run.stdout).toMatch(/Stopped +fake: /);
    for (const name of fake.stored.keys()) expect(run.stdout).toContain(`${name} is left: `);
    expect(run.stdout).toMatch(/assay load --cluster --clean-up r[0-9a-f]{8} removes them/);
  });

  it('removes the temporary definitions after Ctrl-C, and prints the results so far', async () => {
    instead(60, isDryRun, (response) => {
      run.signal('SIGINT');
      response.socket?.destroy();
    });
    const run = measure('-o', 'json');
    const report = await json(run);
    expect([await run.ended, fake.stored.size]).toEqual([1, 0]);
    expect(report).toMatchObject({ isInterrupted: true, definitions: { left: [] } });
    expect(report.rules[0]?.pairs).toBeGreaterThan(2);
  });

  it('removes with --clean-up the definitions of a killed run, and no others', async () => {
    instead(60, isDryRun, () => run.signal('SIGKILL'));
    const run = measure();
    expect(await run.ended).toBe('SIGKILL');
    const left = [...fake.stored.keys()];
    expect(left).toHaveLength(5);
    const foreign = {
      metadata: { name: 'widgets.example.com', uid: '1', labels: { 'app.kubernetes.io/managed-by': 'assay' } },
      spec: { group: 'example.com' },
    };
    fake.stored.set(foreign.metadata.name, foreign);
    const other = start('--clean-up', 'r00000000');
    expect(await other.ended).toBe(0);
    expect(other.stdout).toContain('no temporary definitions of assay load were found');
    const all = start('--clean-up');
    expect(await all.ended).toBe(0);
    expect(all.stdout).toBe(`fake: 5 temporary definitions removed\n${left.map((name) => `  ${name}\n`).join('')}`);
    expect([...fake.stored.keys()]).toEqual(['widgets.example.com']);
  });

  it('stops when the latency exceeds --stop-at', async () => {
    fake.delayOf = ({ spec: { group } }) => (group.startsWith('whole') ? 300 : 10);
    const run = measure('--stop-at', '200ms');
    expect([await run.ended, fake.stored.size]).toEqual([1, 0]);
    expect(run.stdout).toMatch(/Stopped +a request took \d+ ms, more than --stop-at 200 ms/);
  });

  it.each([
    [['--temporary-definitions', '-f', 'crd.json', '--clean-up'], 'do not go together'],
    [['--clean-up', '-f', 'crd.json'], '--clean-up takes no files'],
    [['--yes-create-definitions'], 'goes with --temporary-definitions or --clean-up'],
    [['--temporary-definitions'], 'needs files'],
  ])('rejects %j', async (args, message) => {
    const run = start(...args);
    expect(await run.ended).toBe(2);
    expect(run.stderr).toContain(message);
    expect(server.requests).toEqual([]);
  });

  it.each([['--temporary-definitions', '-f', 'crd.json'], ['--clean-up']])(
    'needs --yes-create-definitions for another machine: %s',
    async (...args) => {
      writeFileSync(kubeconfig, server.kubeconfig.replace(/127\.0\.0\.1:\d+/, '192.0.2.1:6443'));
      const run = start(...args);
      expect(await run.ended).toBe(2);
      expect(run.stderr).toContain('(http://192.0.2.1:6443) is not this machine');
      expect(run.stderr).toContain('--yes-create-definitions');
    },
  );
});
