import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisInstalled, startRedis } from '../../../libs/jobs/test/private-redis.ts';
import type { PrivateRedis } from '../../../libs/jobs/test/private-redis.ts';
import { thorough } from '../../../testing/thorough.ts';
import { startProcess } from './fleet-processes.ts';
import type { FleetProcess } from './fleet-processes.ts';
import { slow, slowObject } from './slow.ts';
import { startApi } from './start-api.ts';

/** Objects whose evaluation takes a node several seconds, so that another node has time to find work. Normal runs take fewer. */
const OBJECTS = Array.from({ length: thorough ? 300 : 100 }, (_, i) => slowObject(`o${i}`, 40));
const ALL = OBJECTS.map((_, index) => ({ index, outcome: 'accepted' }));

/** Defines a test that runs only in thorough test runs. */
const whole = it.skipIf(!thorough);

/**
 * Tests in which one node receives all requests while a second node is idle. In thorough test runs, the second node is a process. In normal
 * runs, it is a second service of this process. libs/service/src/dispatch/dispatched-work.spec.ts tests which runs are offered.
 */
describe.skipIf(!redisInstalled)('an overloaded node', () => {
  let redis: PrivateRedis;
  let app: NestFastifyApplication;
  let url: string;
  let other: Pick<FleetProcess, 'url' | 'signal'>;
  /** Starts the second node. */
  async function startOther(settings: NodeJS.ProcessEnv): Promise<typeof other> {
    if (thorough) return startProcess('node', settings);
    const second = await startApi(settings);
    return { url: second.url, signal: () => void second.app.close() };
  }
  beforeAll(async () => {
    redis = await startRedis();
    const settings = { ASSAY_REDIS_URL: redis.url };
    [{ app, url }, other] = await Promise.all([startApi(settings), startOther(settings)]);
    // The price of an object must be learned first, because runs of unknown objects are long.
    await judged(OBJECTS.slice(0, 30));
  });
  afterAll(async () => {
    other.signal('SIGKILL');
    await app.close();
    redis.stop();
  });

  const lines = (objects: readonly object[]): string =>
    [{ definitions: [slow] }, ...objects].map((line) => `${JSON.stringify(line)}\n`).join('');
  /** Sends objects as a stream. Returns the verdicts and the summary of the last line. */
  async function judged(objects: readonly object[], signal?: AbortSignal): Promise<{ verdicts: object[]; summary: object }> {
    const headers = { 'content-type': 'application/x-ndjson' };
    const options = { method: 'POST', headers, body: lines(objects), ...(signal && { signal }) };
    const text = await (await fetch(`${url}/evaluate?deadline=10m`, options)).text();
    const all = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { index?: number; outcome?: string; summary?: object });
    const verdicts = all.flatMap(({ index, outcome }) => (index === undefined ? [] : [{ index, outcome }]));
    return { verdicts, summary: all.at(-1)?.summary ?? {} };
  }
  /** Returns the number of objects that a process has accepted. */
  const judgedBy = async (at: string): Promise<number> =>
    Number(/^assay_objects_total\{outcome="accepted"\} (\d+)/m.exec(await (await fetch(`${at}/metrics`)).text())?.[1]);
  async function until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  /** Resolves when the node `other` has evaluated at least one more object. */
  const untilShared = async (): Promise<void> => {
    const before = await judgedBy(other.url);
    await until(async () => (await judgedBy(other.url)) > before);
  };

  it('offers runs of a stream to a free node, and the client gets each verdict once, in order', async () => {
    const before = await judgedBy(other.url);
    let rounds = 0;
    do {
      const { verdicts, summary } = await judged(OBJECTS);
      expect(verdicts).toEqual(ALL);
      expect(summary).toMatchObject({ items: OBJECTS.length, accepted: OBJECTS.length });
      // A fast node may finish the first streams before it learns which nodes have free seats.
    } while (++rounds < 20 && (await judgedBy(other.url)) === before);
    expect(await judgedBy(other.url)).toBeGreaterThan(before);
  });

  whole('offers runs of a batch that came as a whole, too', async () => {
    const before = await judgedBy(other.url);
    const answer = await fetch(`${url}/evaluate?deadline=10m`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ definitions: [slow], objects: OBJECTS }),
    });
    expect(await answer.json()).toMatchObject({ items: ALL, summary: { accepted: OBJECTS.length } });
    expect(await judgedBy(other.url)).toBeGreaterThan(before);
  });

  whole('judges itself what nobody answers since Redis is away', async () => {
    const answer = judged(OBJECTS);
    await untilShared();
    redis.signal('SIGSTOP');
    const stopped = performance.now();
    try {
      expect((await answer).verdicts).toEqual(ALL);
      // Commands to an unresponsive Redis end after 10 s each. If each of the runs waited for one, this would take more than ten minutes.
      expect(performance.now() - stopped).toBeLessThan(120_000);
    } finally {
      redis.signal('SIGCONT');
    }
    // The next tests need both nodes to be connected to Redis again.
    for (const at of [url, other.url])
      await until(async () => /\+]queue ok\n\[\+]storage ok/.test(await (await fetch(`${at}/readyz?verbose`)).text()));
  });

  whole('takes back what it offered when its client leaves', async () => {
    const client = new AbortController();
    const answer = judged(OBJECTS, client.signal).catch(() => 'left');
    await untilShared();
    client.abort();
    expect(await answer).toBe('left');
    const connection = redis.connect();
    await until(
      async () => (await connection.keys('{assay}:offers:task:*')).length + (await connection.keys('{assay}:offers:lease:*')).length === 0,
    );
    connection.disconnect();
  });

  whole('judges what another had taken that was killed', async () => {
    const answer = judged(OBJECTS);
    await untilShared();
    other.signal('SIGKILL');
    expect((await answer).verdicts).toEqual(ALL);
  });
});
