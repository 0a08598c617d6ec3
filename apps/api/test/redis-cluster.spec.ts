import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueueAdapter } from '#queue';
import { askRedis, sentinelInstalled, startCluster } from '../../../testing/redis-topologies.ts';
import type { Cluster } from '../../../testing/redis-topologies.ts';
import { thorough } from '../../../testing/thorough.ts';
import { SHARED_QUEUE } from '../src/engine/tokens.ts';
import { startProcess } from './fleet-processes.ts';
import type { FleetProcess } from './fleet-processes.ts';
import { slow, slowObject } from './slow.ts';
import { startApi } from './start-api.ts';

/** So many that by chance one of three shards gets none once in four million runs. */
const EVALUATIONS = 40;
/** Of an evaluation: two chunks. */
const OBJECTS = Array.from({ length: 260 }, (_, i) => slowObject(`o${i}`, 1));

/** The service and its workers over a Redis Cluster of three masters, evaluations dealt out over all of them. */
describe.skipIf(!sentinelInstalled || !thorough)('a fleet over a Redis Cluster', () => {
  let cluster: Cluster;
  let app: NestFastifyApplication;
  let url = '';
  const workers: FleetProcess[] = [];
  const variables = () => ({ ASSAY_REDIS_URL: cluster.url, ASSAY_REDIS_SHARDS: '3' });

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
  /** Queues an evaluation that nobody waits for; its address. */
  async function submit(objects: readonly unknown[] = OBJECTS, definition: unknown = slow): Promise<string> {
    const answer = await post('/evaluate?wait=0', objects, definition);
    await answer.text();
    expect(answer.status).toBe(202);
    return answer.headers.get('location') ?? '';
  }
  const idOf = (location: string): string => location.split('/').at(-1) ?? '';
  const stateOf = async (location: string): Promise<string> =>
    ((await (await fetch(`${url}${location}`)).json()) as { state: string }).state;
  /** The outcome of each object, in order. */
  async function outcomesOf(location: string): Promise<readonly string[]> {
    const lines = (await (await fetch(`${url}${location}/results`)).text()).trim().split('\n');
    const items = lines.map((line) => JSON.parse(line) as { index?: number; outcome?: string });
    return items.flatMap(({ index, outcome }) => (index === undefined ? [] : [`${index} ${outcome}`]));
  }
  const ALL_ACCEPTED = OBJECTS.map((_, index) => `${index} accepted`);

  /** All keys there are that name an evaluation, by the port of their master. */
  const keysOf = (id: string): ReadonlyMap<number, readonly string[]> =>
    new Map(
      cluster.ports.flatMap((port) => {
        const keys = askRedis(port, 'keys', `*${id}*`).split('\n').filter(Boolean);
        return keys.length === 0 ? [] : [[port, keys] as const];
      }),
    );
  const masterOf = (location: string): number => [...keysOf(idOf(location)).keys()][0] ?? 0;

  async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  it('has each evaluation in one slot, and evaluations on every master; workers judge all of them', async () => {
    const locations: string[] = [];
    for (let i = 0; i < EVALUATIONS; i++) locations.push(await submit());
    const slotsOf = (location: string): ReadonlySet<string> => {
      const found = keysOf(idOf(location));
      expect(found.size).toBe(1);
      return new Set([...found].flatMap(([port, keys]) => keys.map((key) => askRedis(port, 'cluster', 'keyslot', key).trim())));
    };
    const kindsOf = (location: string): string[] =>
      [...keysOf(idOf(location)).values()].flat().map((key) => key.replace(/^\{assay\/\d+\}:(\w+):.*$/, '$1'));
    for (const location of locations.slice(0, 6)) {
      expect(kindsOf(location).toSorted()).toEqual(['body', 'ev', 'wait']);
      expect(slotsOf(location).size).toBe(1);
    }
    expect(new Set(locations.map(masterOf))).toEqual(new Set(cluster.ports));
    workers.push(...(await Promise.all([startProcess('worker', variables()), startProcess('worker', variables())])));
    for (const location of locations) {
      await until(async () => (await stateOf(location)) === 'complete');
      expect(await outcomesOf(location)).toEqual(ALL_ACCEPTED);
    }
    for (const location of locations.slice(0, 6)) {
      expect(kindsOf(location).toSorted()).toEqual(['ev', 'res']);
      expect(slotsOf(location).size).toBe(1);
    }
    // Everything that is stored belongs to a shard, or says of the installation how it is dealt out.
    const others = cluster.ports
      .flatMap((port) => askRedis(port, 'keys', '*').split('\n'))
      .filter((key) => key !== '' && !/^\{assay\/\d+\}:/.test(key));
    expect(others.toSorted()).toEqual(expect.arrayContaining(['{assay}:shards']));
    expect(others.every((key) => ['{assay}:shards', '{assay}:format', '{assay}:inspected'].includes(key))).toBe(true);
  });

  it('answers who waits, and streams verdicts while objects still come', async () => {
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

  it('cancels what runs on any master', async () => {
    const locations: string[] = [];
    // Seconds of work for each.
    const objects = Array.from({ length: 300 }, (_, i) => slowObject(`o${i}`, 60));
    while (new Set(locations.map(masterOf)).size < 3) locations.push(await submit(objects));
    for (const location of locations) expect((await fetch(`${url}${location}`, { method: 'DELETE' })).status).toBe(204);
    const depth = () => app.get<QueueAdapter>(SHARED_QUEUE).work.depth();
    await until(async () => {
      const { waiting, claimed } = await depth();
      return waiting === 0 && claimed === 0;
    });
    for (const location of locations) {
      expect(await stateOf(location)).toBe('cancelled');
      expect((await fetch(`${url}${location}`, { method: 'DELETE' })).status).toBe(204);
      expect((await fetch(`${url}${location}`)).status).toBe(404);
    }
  });

  it('while a master stands still: what it has waits, the others go on; then all is there, once', async () => {
    const locations: string[] = [];
    while (new Set(locations.map(masterOf)).size < 3) locations.push(await submit());
    const masters = new Map(locations.map((location) => [location, masterOf(location)]));
    const [still = 0] = cluster.ports;
    cluster.signal(still, 'SIGSTOP');
    try {
      for (const location of locations.filter((one) => masters.get(one) !== still)) {
        await until(async () => (await stateOf(location).catch(() => '')) === 'complete');
        expect(await outcomesOf(location)).toEqual(ALL_ACCEPTED);
      }
      // Whatever needs the one that stands still is told so, and nothing of it is half kept.
      const refused = await fetch(`${url}${locations.find((one) => masters.get(one) === still)}`);
      expect(refused.status).toBe(503);
      expect(await refused.json()).toMatchObject({ reason: 'ServiceUnavailable' });
    } finally {
      cluster.signal(still, 'SIGCONT');
    }
    for (const location of locations) {
      await until(async () => (await stateOf(location).catch(() => '')) === 'complete');
      expect(await outcomesOf(location)).toEqual(ALL_ACCEPTED);
    }
  });

  it('when a master dies with what it has: its evaluations are unknown afterwards, those of the others whole, and new ones are judged', async () => {
    const locations: string[] = [];
    while (new Set(locations.map(masterOf)).size < 3) locations.push(await submit());
    const [, dead = 0] = cluster.ports;
    const lost = locations.filter((one) => masterOf(one) === dead);
    await cluster.die(dead);
    for (const location of locations.filter((one) => !lost.includes(one)))
      await until(async () => (await stateOf(location).catch(() => '')) === 'complete');
    await cluster.comeBack(dead);
    await until(async () => (await fetch(`${url}/readyz`)).ok);
    for (const location of locations) {
      if (lost.includes(location)) expect((await fetch(`${url}${location}`)).status).toBe(404);
      else expect(await outcomesOf(location)).toEqual(ALL_ACCEPTED);
    }
    const after = await submit();
    await until(async () => (await stateOf(after)) === 'complete');
  });

  it('was never asked for keys of two slots at once', () => {
    for (const port of cluster.ports) {
      const errors = askRedis(port, 'info', 'errorstats');
      expect(errors).toContain('# Errorstats');
      expect(errors).not.toContain('CROSSSLOT');
    }
  });
});
