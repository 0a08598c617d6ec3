import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { thorough } from '../../../testing/thorough.ts';
import { redisInstalled, startRedis } from '../../../libs/jobs/test/private-redis.ts';
import type { PrivateRedis } from '../../../libs/jobs/test/private-redis.ts';
import { startCollector, startProcess } from './fleet-processes.ts';
import type { CollectedSpan, Collector, FleetProcess } from './fleet-processes.ts';
import { readScrape } from './scrape.ts';
import type { ScrapedMetric } from './scrape.ts';
import { slow, slowObject } from './slow.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Marker text that is planted wherever a client can send text. */
const MARKER = 'fbq7marker';
/** Marker that is planted only in text that traces may contain: the name of a definition, and the `tracestate` that the client sends. */
const NAME = 'fbq7name';
/** Pattern that matches either marker, both as text and as the bytes of a Buffer that was written as JSON. */
const PLANTED = /fbq7|102,98,113,55/;

/** Copy of the definition `slow` that contains the marker wherever a definition may contain text. */
const marked = {
  ...slow,
  metadata: { name: `${NAME}s.${NAME}.example.com`, annotations: { note: MARKER } },
  spec: {
    ...slow.spec,
    group: `${NAME}.example.com`,
    names: { plural: `${NAME}s`, kind: 'Slow', shortNames: [MARKER] },
    versions: slow.spec.versions.map((version) => ({
      ...version,
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { [MARKER]: { type: 'string', maxLength: 40, enum: [MARKER, 'x'] } },
          'x-kubernetes-validations': [{ rule: `self.${MARKER} != '${MARKER}'`, message: MARKER }],
        },
      },
    })),
  },
};
const markedObject = (name: string, value: unknown) => ({
  apiVersion: `${NAME}.example.com/v1`,
  kind: 'Slow',
  metadata: { name, labels: { [MARKER]: MARKER } },
  [MARKER]: value,
});
const HEADERS = {
  'content-type': 'application/json',
  'x-request-id': `no id ${MARKER}`,
  'x-assay-flow': MARKER,
  'user-agent': MARKER,
  'x-api-key': MARKER,
  authorization: `Bearer ${MARKER}`,
  tracestate: `${NAME}=1`,
};

/** Tests what can be observed of a fleet: an API process and a worker over Redis, started as in production. */
describe.skipIf(!redisInstalled || !thorough)('monitoring a fleet of processes', () => {
  let redis: PrivateRedis;
  let collector: Collector;
  let api: FleetProcess;
  let worker: FleetProcess;

  beforeAll(async () => {
    [redis, collector] = await Promise.all([startRedis(), startCollector()]);
    const variables = { ...collector.variables, ASSAY_REDIS_URL: redis.url };
    [api, worker] = await Promise.all([startProcess('api', variables), startProcess('worker', variables)]);
    // These requests cover everything that changes metrics: verdicts of each kind, a compiled definition, a rejected request, an unknown
    // path.
    const objects = [markedObject('a', 'x'), markedObject('b', MARKER), markedObject(MARKER, 5)];
    await evaluate({ definitions: [marked], objects });
    await evaluateThere({ definitions: [marked], objects });
    await evaluate({ definitions: [{ ...marked, spec: MARKER }], objects: [] });
    await evaluate({ [MARKER]: MARKER });
    await evaluate(`{"${MARKER}"`);
    await study({ definitions: [marked], objects, rule: MARKER });
    await study({ definitions: [marked], budget: '1s' });
    await fetch(`${api.url}/${MARKER}?${MARKER}=${MARKER}`, { headers: HEADERS });
    await fetch(`${api.url}/evaluations/${MARKER}`, { headers: HEADERS });
  });
  afterAll(async () => {
    api.terminate();
    worker.terminate();
    await Promise.all([api.ended, worker.ended]);
    collector.stop();
    redis.stop();
  });

  const evaluate = async (body: unknown, more: Record<string, string> = {}): Promise<{ status: number; text: string }> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${api.url}/evaluate`, { method: 'POST', headers: { ...HEADERS, ...more }, body: text });
    return { status: response.status, text: await response.text() };
  };
  /** Starts an evaluation that the worker performs, and waits until it is complete. */
  const evaluateThere = async (body: unknown, more: Record<string, string> = {}): Promise<void> => {
    const { id } = JSON.parse((await evaluate(body, { prefer: 'respond-async', ...more })).text) as { id: string };
    await until(async () => (await (await fetch(`${api.url}/evaluations/${id}`, { headers: HEADERS })).text()).includes('"complete"'));
  };
  /** Starts a study of rules, and waits until it has ended. */
  const study = async (body: object): Promise<void> => {
    const response = await fetch(`${api.url}/benchmarks`, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });
    expect(response.status).toBe(202);
    const location = `${api.url}${response.headers.get('location')}`;
    await until(async () => (await (await fetch(location, { headers: HEADERS })).text()).includes('"complete"'));
  };
  const scrape = async ({ url }: FleetProcess): Promise<string> => (await fetch(`${url}/metrics`)).text();
  const metricsOfBoth = async (): Promise<ScrapedMetric[]> =>
    (await Promise.all([scrape(api), scrape(worker)])).flatMap((text) => [...readScrape(text).values()]);

  const BUILD = 'assay_build_info';
  /** Returns true if a metric is defined by the service. The default metrics of prom-client and the build information are excluded. */
  const isOurs = ({ name }: ScrapedMetric): boolean => !/^(?:process|nodejs)_/.test(name) && name !== BUILD;

  it('the response contains the marker that logs, traces and labels must not contain', async () => {
    const { status, text } = await evaluate({ definitions: [marked], objects: [markedObject('b', MARKER)] });
    expect(status).toBe(200);
    expect(text).toContain(MARKER);
  });

  it('the names of metrics follow the conventions of Prometheus', async () => {
    const all = await metricsOfBoth();
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds', BUILD])
      expect(all.filter((metric) => metric.name === name)).toHaveLength(2);
    const metrics = all.filter(isOurs);
    expect(metrics.length).toBeGreaterThan(15);
    for (const { name, type, help, unit, series } of metrics) {
      expect(name).toMatch(/^assay_[a-z]+(?:_[a-z]+)*$/);
      expect(help, name).toMatch(/^[A-Z].{10,}[^.]$/);
      expect(['counter', 'gauge', 'histogram'], name).toContain(type);
      expect(name.endsWith('_total'), `${name}: _total is for counters`).toBe(type === 'counter');
      // The name contains the base unit (prometheus.io/docs/practices/naming).
      expect(name).not.toMatch(/_(?:milliseconds|ms|minutes|kilobytes|kb|mb|percent|type|counter|gauge|histogram|info)(?:_|$)/);
      expect(unit, name).toBe(name.endsWith('_seconds') ? 'seconds' : undefined);
      if (type === 'histogram') expect(name).toMatch(/_seconds$/);
      expect([...series].every((of) => of === name || (type === 'histogram' && of.startsWith(`${name}_`)))).toBe(true);
    }
  });

  it('the labels of metrics contain only predefined words', async () => {
    const words: Record<string, RegExp> = {
      end: /^(?:accepted|complete|cancelled|lost|tooLarge|failed)$/,
      outcome: /^(?:accepted|rejected|notEvaluated|cancelled)$/,
      level: /^(?:exempt|high|normal|low)$/,
      state: /^(?:running|unfinished)$/,
      kind: /^(?:explain|costs|times|compare|compile|evaluation|study)$/,
      reason: /^(?:evaluations|bytes|flow-evaluations|flow-chunks|flow-bytes)$/,
      method: /^(?:GET|POST|DELETE)$/,
      code: /^[1-5]\d\d$/,
      route: /^(?:unmatched|(?:\/:?[a-zA-Z-]+)+)$/,
      le: /^(?:[\d.]+|\+Inf)$/,
    };
    for (const { name, labels } of (await metricsOfBoth()).filter(isOurs))
      for (const [label, values] of labels)
        for (const value of values) expect(value, `${name}{${label}}`).toMatch(words[label] ?? /^a label that nobody listed$/);
    for (const process of [api, worker]) expect(await scrape(process)).not.toMatch(PLANTED);
  });

  it('the service exports all metrics that alerts, dashboards and autoscaling use', async () => {
    const exported = new Set((await metricsOfBoth()).flatMap(({ series }) => [...series]));
    const asking = [...filesBelow('observability'), ...filesBelow('k8s')];
    const requested = asking.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bassay_\w+/g)].map(([name]) => ({ name, file })),
    );
    // At least three files name metrics: the alerts, the dashboard, and the autoscaling.
    expect(new Set(requested.map(({ file }) => file)).size).toBeGreaterThanOrEqual(3);
    // These metrics appear with their first event. This test has no such event, because a refusal needs a full queue.
    for (const what of ['evaluations', 'requests']) exported.add(`assay_flow_control_rejected_${what}_total`);
    expect(requested.filter(({ name }) => !exported.has(name))).toEqual([]);
  });

  it('the process that causes the end of an asynchronous evaluation counts this end once', async () => {
    const ends = async (end: string): Promise<number> => {
      const line = new RegExp(`^assay_evaluations_total\\{end="${end}"\\} (\\d+)`, 'm');
      const [ofApi, ofWorker] = await Promise.all([scrape(api), scrape(worker)]);
      return Number(line.exec(ofApi)?.[1]) + Number(line.exec(ofWorker)?.[1]);
    };
    const before = { accepted: await ends('accepted'), complete: await ends('complete') };
    await evaluateThere({ definitions: [slow], objects: [slowObject('a', 2)] });
    await until(async () => (await ends('complete')) > before.complete);
    // During these two seconds, the heartbeats must not count the end again.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(await ends('complete')).toBe(before.complete + 1);
    expect(await ends('accepted')).toBe(before.accepted + 1);
    expect(await ends('lost')).toBe(0);
  });

  it('an asynchronous evaluation is one trace through both processes, and nothing else creates spans', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await evaluateThere({ definitions: [slow], objects: [slowObject('a', 2), slowObject('b', 2)] }, { traceparent });
    const own = (): CollectedSpan[] => collector.spans.filter(({ traceId }) => traceId === traceparent.split('-')[1]);
    await until(() => own().some(({ name }) => name === 'run chunk') && own().some(({ name }) => name === 'POST /evaluate'));
    const [spans, request] = [own(), own().find(({ name }) => name === 'POST /evaluate')];
    expect(request).toMatchObject({ service: 'assay-api', parentSpanId: traceparent.split('-')[2] });
    const chunk = spans.find(({ name }) => name === 'run chunk');
    expect(chunk).toMatchObject({ service: 'assay-worker', parentSpanId: request?.spanId });
    expect(spans.filter(({ parentSpanId }) => parentSpanId === chunk?.spanId).length).toBeGreaterThan(0);
    // Every other span also belongs to a request. BullMQ's housekeeping, probes and scrapes create no spans.
    const known = new Set([...collector.spans.map(({ spanId }) => spanId), traceparent.split('-')[2]]);
    const roots = collector.spans.filter(({ parentSpanId }) => !parentSpanId || !known.has(parentSpanId));
    expect(
      roots
        .map(({ name }) => name)
        .filter((name) => !/^(?:GET|POST) (?:\/evaluate|\/evaluations\/:id|\/benchmarks(?:\/:id)?|unmatched)$/.test(name)),
    ).toEqual([]);
  });

  it('the log contains failures as JSON with their trace, and no data of clients', async () => {
    const traceId = '1af7651916cd43dd8448eb211c80319c';
    // Redis is full, so it rejects a command that contains the objects of the client.
    await redis.command('CONFIG SET maxmemory 1');
    const { status } = await evaluate(
      { definitions: [marked], objects: [markedObject('b', MARKER)] },
      { traceparent: `00-${traceId}-b7ad6b7169203331-01`, prefer: 'respond-async' },
    );
    await redis.command('CONFIG SET maxmemory 0');
    expect(status).toBe(503);
    await until(() => api.written().includes(traceId));
    for (const { written } of [api, worker]) {
      expect(written()).not.toMatch(PLANTED);
      const lines = written()
        .split('\n')
        .filter((line) => line.startsWith('{'));
      for (const line of lines)
        expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) as number, time: expect.any(String) as string });
    }
    const failed =
      api
        .written()
        .split('\n')
        .find((line) => line.includes(traceId)) ?? '';
    expect(JSON.parse(failed)).toMatchObject({
      msg: 'request failed',
      traceId,
      err: { message: expect.stringMatching(/OOM /) as string },
    });
    expect((await evaluate({ definitions: [slow], objects: [slowObject('a', 2)] })).status).toBe(200);
  });

  it('a worker responds only to probes and scrapes', async () => {
    for (const path of ['/livez', '/readyz', '/metrics']) expect((await fetch(`${worker.url}${path}`)).status).toBe(200);
    const others = ['/', '/docs', '/docs-json', '/evaluations/x'].map((path) => fetch(`${worker.url}${path}`));
    for (const answer of [...(await Promise.all(others)), await fetch(`${worker.url}/evaluate`, { method: 'POST', body: '{}' })])
      expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ kind: 'Status', code: 404 })]);
  });

  it('spans name definitions, and contain no data of objects', () => {
    expect(collector.spans.length).toBeGreaterThan(5);
    expect(collector.text()).toContain(`${NAME}s.${NAME}.example.com`);
    expect(collector.text()).not.toContain(MARKER);
  });
});

/** Tests that a process ends without losing open work. */
describe('a process that receives SIGTERM', () => {
  it('is no longer ready, finishes open requests, and exits with 0', async () => {
    const api = await startProcess('node', { ASSAY_JOURNAL: ':memory:' });
    const body = JSON.stringify({ definitions: [slow], objects: [slowObject('a', 200)] });
    const answer = fetch(`${api.url}/evaluate`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await until(async () => /assay_engine_running 1/.test(await (await fetch(`${api.url}/metrics`)).text()));
    api.terminate();
    await until(async () => (await fetch(`${api.url}/readyz`)).status === 503);
    expect(await (await answer).json()).toMatchObject({ summary: { accepted: 1 } });
    expect(await api.ended).toBe(0);
  });

  it('cuts off requests after ASSAY_DRAIN_MS, and reports how many', async () => {
    const api = await startProcess('node', { ASSAY_JOURNAL: ':memory:', ASSAY_DRAIN_MS: '50' });
    const body = JSON.stringify({ definitions: [slow], objects: [900, 900, 900].map((lists, i) => slowObject(`o${i}`, lists)) });
    const answer = fetch(`${api.url}/evaluate`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const cut = expect(answer).rejects.toThrow();
    await until(async () => /assay_engine_running 1/.test(await (await fetch(`${api.url}/metrics`)).text()));
    api.terminate();
    await cut;
    expect(await api.ended).toBe(0);
    expect(api.written()).toContain('"requests":1');
  });
});

function filesBelow(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
}

/** Repeats the check `holds` until it returns true. Only the timeout of the test limits the wait. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
