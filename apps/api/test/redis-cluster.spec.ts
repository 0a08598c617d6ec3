import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askRedis, sentinelInstalled, startCluster } from '../../../testing/redis-topologies.ts';
import type { Cluster } from '../../../testing/redis-topologies.ts';
import { thorough } from '../../../testing/thorough.ts';
import { SERVICE } from '../src/engine/service.ts';
import type { Service } from '../src/engine/service.ts';
import { startProcess } from './fleet-processes.ts';
import type { FleetProcess } from './fleet-processes.ts';
import { slow, slowObject } from './slow.ts';
import { startApi } from './start-api.ts';

/** Objects of an evaluation that consists of two chunks. */
const OBJECTS = Array.from({ length: 260 }, (_, i) => slowObject(`o${i}`, 1));

/** Tests the service and its workers over a Redis Cluster of three masters. All keys of the installation are on one master. */
describe.skipIf(!sentinelInstalled || !thorough)('a fleet of processes over a Redis Cluster', () => {
  let cluster: Cluster;
  let app: NestFastifyApplication;
  let url = '';
  const workers: FleetProcess[] = [];
  const variables = () => ({ ASSAY_REDIS_URL: cluster.url });

  beforeAll(async () => {
    cluster = await startCluster({ partial: true });
    ({ app, url } = await startApi({ ...variables(), ASSAY_ROLE: 'api', ASSAY_FLOW_EVALUATIONS: '1000' }));
  });
  afterAll(async () => {
    for (const worker of workers) worker.terminate();
    await Promise.all(workers.map(({ ended }) => ended));
    await app.close();
    cluster.stop();
  });

  const post = (path: string, objects: readonly unknown[], definition: unknown = slow): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ definitions: [definition], objects, options: { deadline: '20m' } }),
    });
  /** Starts a background evaluation and returns its path. */
  async function submit(objects: readonly unknown[] = OBJECTS, definition: unknown = slow): Promise<string> {
    const answer = await post('/evaluate?wait=0', objects, definition);
    await answer.text();
    expect(answer.status).toBe(202);
    return answer.headers.get('location') ?? '';
  }
  const idOf = (location: string): string => location.split('/').at(-1) ?? '';
  const stateOf = async (location: string): Promise<string> =>
    ((await (await fetch(`${url}${location}`)).json()) as { state: string }).state;
  /** Returns the outcome of each object, in order. */
  async function outcomesOf(location: string): Promise<readonly string[]> {
    const lines = (await (await fetch(`${url}${location}/results`)).text()).trim().split('\n');
    const items = lines.map((line) => JSON.parse(line) as { index?: number; outcome?: string });
    return items.flatMap(({ index, outcome }) => (index === undefined ? [] : [`${index} ${outcome}`]));
  }
  const ALL_ACCEPTED = OBJECTS.map((_, index) => `${index} accepted`);

  /** Returns the Redis keys that contain the id of an evaluation, by the port of their master. */
  const keysOf = (id: string): ReadonlyMap<number, readonly string[]> =>
    new Map(
      cluster.ports.flatMap((port) => {
        const keys = askRedis(port, 'keys', `*${id}*`).split('\n').filter(Boolean);
        return keys.length === 0 ? [] : [[port, keys] as const];
      }),
    );
  /** Returns the port of the master that holds the keys of an evaluation. */
  const masterOf = (location: string): number => [...keysOf(idOf(location)).keys()][0] ?? 0;

  async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  it('keeps all keys in one slot, and workers evaluate the jobs', async () => {
    const locations = [await submit(), await submit(), await submit()];
    const slots = cluster.ports
      .flatMap((port) => askRedis(port, 'keys', '*').split('\n').filter(Boolean))
      .map((key) => askRedis(cluster.ports[0] ?? 0, 'cluster', 'keyslot', key).trim());
    expect(new Set(slots).size).toBe(1);
    workers.push(...(await Promise.all([startProcess('worker', variables()), startProcess('worker', variables())])));
    for (const location of locations) {
      await until(async () => (await stateOf(location)) === 'complete');
      expect(await outcomesOf(location)).toEqual(ALL_ACCEPTED);
    }
  });

  it('accepts all objects of synchronous requests, in JSON and in NDJSON', async () => {
    const waited = (await (await post('/evaluate', OBJECTS)).json()) as { summary: unknown };
    expect(waited.summary).toMatchObject({ items: 260, accepted: 260 });
    const lines = [{ definitions: [slow] }, ...OBJECTS].map((line) => `${JSON.stringify(line)}\n`);
    const headers = { 'content-type': 'application/x-ndjson' };
    const streamed = await (await fetch(`${url}/evaluate`, { method: 'POST', headers, body: lines.join('') })).text();
    const verdicts = streamed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { outcome?: string });
    expect(verdicts.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(260);
  });

  it('cancels running work', async () => {
    // This work takes seconds, so the DELETE comes while it runs.
    const location = await submit(Array.from({ length: 300 }, (_, i) => slowObject(`o${i}`, 60)));
    expect((await fetch(`${url}${location}`, { method: 'DELETE' })).status).toBe(204);
    await until(async () => {
      const { jobs, waiting } = await app.get<Service>(SERVICE).durable.jobs.depth();
      return jobs === 0 && waiting === 0;
    });
    expect(await stateOf(location)).toBe('cancelled');
  });

  it('responds with 503 while the Redis master does not respond, and then returns each verdict once', async () => {
    const location = await submit();
    const master = masterOf(location);
    cluster.signal(master, 'SIGSTOP');
    try {
      const refused = await fetch(`${url}${location}`);
      expect(refused.status).toBe(503);
      expect(await refused.json()).toMatchObject({ reason: 'ServiceUnavailable' });
    } finally {
      cluster.signal(master, 'SIGCONT');
    }
    await until(async () => (await stateOf(location).catch(() => '')) === 'complete');
    expect(await outcomesOf(location)).toEqual(ALL_ACCEPTED);
  });

  it('loses the evaluations of a master whose data was lost, and performs new ones', async () => {
    const location = await submit();
    const master = masterOf(location);
    await cluster.die(master);
    await cluster.comeBack(master);
    await until(async () => (await fetch(`${url}/readyz`)).ok);
    expect((await fetch(`${url}${location}`)).status).toBe(404);
    const after = await submit();
    await until(async () => (await stateOf(after)) === 'complete');
  });

  it('sends no command with keys of two slots', () => {
    for (const port of cluster.ports) {
      const errors = askRedis(port, 'info', 'errorstats');
      expect(errors).toContain('# Errorstats');
      expect(errors).not.toContain('CROSSSLOT');
    }
  });
});
