import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingForApiServer, startApiServer } from '../../../../loadtests/src/engines/start-api-server.ts';
import type { StartedApiServer } from '../../../../loadtests/src/engines/start-api-server.ts';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { thorough } from '../../../../testing/thorough.ts';
import type { ClusterLoadReport } from '../../src/commands/load/cluster/report.ts';
import { AssayProcess } from '../assay-process.ts';

const missing = thorough ? missingForApiServer() : 'only thorough test runs (ASSAY_THOROUGH=1) build an API server';
if (missing !== undefined) console.warn(`skipped: a load on a real API server: ${missing}`);

const BUILD_MS = 900_000;
const RUN_MS = 180_000;
const SOURCE = ['--conditions=source', resolve(import.meta.dirname, '../../src/assay.ts')];
const list = (items: object, maxItems: number) => ({ type: 'array', maxItems, items });
const spec = (properties: object, rule?: string) => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...(rule !== undefined && { 'x-kubernetes-validations': [{ rule }] }) } },
});
const ints = (most: number) => list({ type: 'integer' }, most);

/** Rules of known growth, with the exponents of their costs. */
const KNOWN = [
  ['Line', 1, spec({ a: list({ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= 0 && self != 77' }] }, 20_000) })],
  ['Square', 2, spec({ a: ints(120) }, '!has(self.a) || self.a.all(x, self.a.all(y, x + y >= 0))')],
  ['Product', 2, spec({ a: ints(140), b: ints(90) }, '!has(self.a) || !has(self.b) || self.a.all(x, self.b.all(y, x + y >= 0))')],
] as const;

describe.skipIf(missing !== undefined)('a load on a real API server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-load-live-'));
  let server: StartedApiServer;
  let agent: Agent;

  beforeAll(async () => {
    const started = await startApiServer();
    if (typeof started === 'string') throw new Error(started);
    server = started;
    const { ca, cert, key } = server.certificates;
    agent = new Agent({ ca: readFileSync(ca), cert: readFileSync(cert), key: readFileSync(key) });
    for (const [kind, , schema] of KNOWN) {
      const definition = customDefinition({ kind, schema });
      writeFileSync(join(folder, `${kind}.json`), JSON.stringify(definition));
      const created = await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
      expect(created.code).toBe(201);
    }
    for (const [kind] of KNOWN) while ((await send('GET', pathOf(kind))).code !== 200) await new Promise((done) => setTimeout(done, 200));
  }, BUILD_MS);
  afterAll(async () => {
    agent?.destroy();
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  const pathOf = (kind: string): string => `/apis/example.com/v1/namespaces/default/${kind.toLowerCase()}s`;

  function send(method: string, path: string, body?: object): Promise<{ readonly code: number; readonly text: string }> {
    return new Promise((done, failed) => {
      const sent = request(`https://127.0.0.1:${server.port}${path}`, { method, agent, headers: { 'content-type': 'application/json' } });
      sent.on('error', failed).on('response', (response) => {
        let text = '';
        response.on('data', (part) => (text += String(part)));
        response.on('end', () => done({ code: response.statusCode ?? 0, text }));
      });
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  it.each(KNOWN)(
    '%s: every answer of the server agrees with Assay, nothing is stored, and each reported exponent is right',
    async (kind, exponent) => {
      const options = ['--worst', '--budget', '5s', '--duration', '45s', '--rate', '100', '-o', 'json'];
      const assay = new AssayProcess(
        ['load', '--cluster', '--kubeconfig', server.kubeconfig, join(folder, `${kind}.json`), ...options],
        {},
        SOURCE,
      );
      expect(await assay.ended, assay.stderr).toBe(0);
      const report: ClusterLoadReport = JSON.parse(assay.stdout);
      expect(report).toMatchObject({ failed: 0, errors: [], statuses: [{ code: 201 }], rights: { kind: 'notChecked' } });
      expect(report.serverHistograms).toMatchObject({
        kind: 'read',
        changes: [{ name: 'apiserver_request_duration_seconds', observations: report.requests }, {}],
      });
      const [smallest, largest] = [report.writes[0], report.writes.at(-1)];
      expect(largest?.latencies.p50).toBeGreaterThan(2 * (smallest?.latencies.p50 ?? Infinity));
      expect(JSON.parse((await send('GET', pathOf(kind))).text)).toMatchObject({ items: [] });
      const [growth] = report.growth;
      if (growth?.verdict !== 'grows') {
        // A busy machine disturbs the times, and then the report must not name an exponent.
        expect(growth?.reason).toMatch(/noise|does not grow/);
        return;
      }
      expect(growth.costExponent).toBeCloseTo(exponent, 1);
      // The cost tracker of cel-go searches a stack that grows with the loops, so the time may grow faster than the cost.
      const expected = growth.predictedExponent ?? exponent;
      expect(Math.abs(growth.exponent.value - expected)).toBeLessThan(0.2);
    },
    RUN_MS,
  );
});
