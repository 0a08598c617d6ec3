import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sentDigest } from '#documents';
import { redisInstalled, startRedis } from '../../../libs/jobs/test/private-redis.ts';
import type { PrivateRedis } from '../../../libs/jobs/test/private-redis.ts';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';

const JSON_TYPE = { 'content-type': 'application/json' } as const;
const text = JSON.stringify(widgets);
const digest = sentDigest(Buffer.from(text));
const objects = [widget('one', [1]), widget('two', [-1])];

interface Answer {
  readonly items: readonly { readonly outcome: string }[];
}

/**
 * Checks which work a node with Redis does itself. The node evaluates the objects of requests whose clients wait for the answer. It stores
 * in Redis only the data that must outlive the node.
 */
describe.skipIf(!redisInstalled)('a node with Redis', () => {
  let redis: PrivateRedis;
  let client: ReturnType<PrivateRedis['connect']>;
  let app: NestFastifyApplication;
  let url: string;
  beforeAll(async () => {
    redis = await startRedis();
    client = redis.connect();
    ({ app, url } = await startApi({ ASSAY_REDIS_URL: redis.url }));
    expect((await fetch(`${url}/definitions/${digest}`, { method: 'PUT', headers: JSON_TYPE, body: text })).status).toBe(201);
  });
  afterAll(async () => {
    await app.close();
    client.disconnect();
    redis.stop();
  });

  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${url}${path}`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
  const outcomes = async (response: Response): Promise<string[]> => ((await response.json()) as Answer).items.map(({ outcome }) => outcome);
  /**
   * Returns the number of Redis commands on definitions and prices so far. Heartbeats and messages about jobs are not counted, because they occur
   * without requests.
   */
  const requested = async (): Promise<number> => {
    const stats = await client.info('commandstats');
    return ['set', 'get', 'pttl', 'pexpire', 'mget'].reduce(
      (sum, name) => sum + Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0),
      0,
    );
  };
  const keys = async (): Promise<string[]> => (await client.keys('{assay}:ev:*')).concat(await client.keys('{assay}:body:*'));

  it('evaluates synchronous requests without Redis: sent definitions, references, and streams', async () => {
    // The first reference loads the price of the definition from Redis, so it does not count.
    await post('/evaluate', { definitionRefs: [digest], objects });
    const began = performance.now();
    const before = await requested();
    for (let i = 0; i < 50; i++) {
      expect(await outcomes(await post('/evaluate', { definitions: [widgets], objects }))).toEqual(['accepted', 'rejected']);
      expect(await outcomes(await post('/evaluate', { definitionRefs: [digest], objects }))).toEqual(['accepted', 'rejected']);
    }
    const lines = `${text.startsWith('{') ? JSON.stringify({ definitionRefs: [digest] }) : ''}\n${JSON.stringify(objects[0])}\n`;
    const stream = await fetch(`${url}/evaluate`, { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: lines });
    expect(await stream.text()).toContain('"accepted":1,');
    // Prices and heartbeats are sent once a second, regardless of requests.
    const seconds = Math.ceil((performance.now() - began) / 1000) + 1;
    expect((await requested()) - before).toBeLessThanOrEqual(4 * seconds);
    expect(await keys()).toEqual([]);
  });

  it('reports the time per object of a definition to all nodes', async () => {
    await post('/evaluate', { definitions: [widgets], objects: Array.from({ length: 50 }, (_, i) => widget(`w-${i}`, [1])) });
    await expect.poll(() => client.keys('{assay}:price:*')).toHaveLength(1);
  });

  it('performs asynchronous evaluations from Redis', async () => {
    const begun = await post('/evaluate?wait=0', { definitions: [widgets], objects });
    expect(begun.status).toBe(202);
    const location = begun.headers.get('location') ?? '';
    await begun.text();
    const verdicts = await (await fetch(`${url}${location}/results`)).text();
    expect(
      verdicts
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { outcome: string }).outcome),
    ).toEqual(['accepted', 'rejected']);
  });

  it('performs synchronous requests while Redis does not respond, but begins asynchronous evaluations only afterwards', async () => {
    redis.signal('SIGSTOP');
    try {
      expect(await outcomes(await post('/evaluate', { definitions: [widgets], objects }))).toEqual(['accepted', 'rejected']);
      expect(await outcomes(await post('/evaluate', { definitionRefs: [digest], objects }))).toEqual(['accepted', 'rejected']);
      const ready = await fetch(`${url}/readyz?verbose`);
      expect([ready.status, await ready.text()]).toEqual([
        200,
        expect.stringContaining('[-]storage failed: asynchronous evaluations are refused'),
      ]);
      const refused = await post('/evaluate?wait=0', { definitions: [widgets], objects });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
      await refused.text();
    } finally {
      redis.signal('SIGCONT');
    }
    await expect.poll(async () => (await post('/evaluate?wait=0', { definitions: [widgets], objects })).status).toBe(202);
  });
});
