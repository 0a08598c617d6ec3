import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingForApiServer, startApiServer } from '../../../../loadtests/src/engines/start-api-server.ts';
import type { StartedApiServer } from '../../../../loadtests/src/engines/start-api-server.ts';
import { thorough } from '../../../../testing/thorough.ts';
import type { RuleCostReport } from '../../src/commands/load/rule-costs/report.ts';
import { ASSAY, AssayProcess } from '../assay-process.ts';

const PROJECT = resolve(import.meta.dirname, '../../../..');
const DEFINITION = join(PROJECT, 'examples/gateway-api/httproute-crd.yaml');
const missing = thorough ? missingForApiServer() : 'only in thorough runs';

describe.skipIf(missing !== undefined)(`temporary definitions in a real API server${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: StartedApiServer;

  beforeAll(async () => {
    const started = await startApiServer();
    if (typeof started === 'string') throw new Error(started);
    server = started;
  }, 900_000);
  afterAll(async () => {
    await server.stop();
  });

  const load = (...args: string[]): AssayProcess =>
    new AssayProcess(['load', '--cluster', '--kubeconfig', server.kubeconfig, ...args], {}, [ASSAY]);
  const measure = (...args: string[]): AssayProcess => load('--temporary-definitions', '-f', DEFINITION, '--budget', '10s', ...args);

  it('are removed by --clean-up after the command was killed', { timeout: 300_000 }, async () => {
    const killed = measure('--duration', '2m');
    await killed.says('pairs sent');
    killed.signal('SIGKILL');
    expect(await killed.ended).toBe('SIGKILL');
    const run = /\(run (r[0-9a-f]{8})\)/.exec(killed.stderr)?.[1] ?? '';
    const cleaned = load('--clean-up', run);
    expect(await cleaned.ended).toBe(0);
    expect(cleaned.stdout).toMatch(/^bench: [4-8] temporary definitions removed\n/);
    const again = load('--clean-up');
    expect([await again.ended, again.stdout]).toEqual([0, 'bench: no temporary definitions of assay load were found\n']);
  });

  it('measure the time that all rules together add, and no added time between equal definitions', { timeout: 300_000 }, async () => {
    const run = measure('--duration', '30s', '--rate', '400', '-o', 'json');
    expect(await run.ended).toBe(0);
    const report: RuleCostReport = JSON.parse(run.stdout);
    expect(report.control?.added.verdict).not.toBe('adds');
    expect(report.allRules?.codes).toEqual({ with: 201, without: 201 });
    expect(report.allRules?.added.p50?.ms).toBeGreaterThan(0);
    expect(report.definitions.left).toEqual([]);
  });
});
