import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisInstalled, startRedis } from '../../../libs/jobs/test/private-redis.ts';
import type { PrivateRedis } from '../../../libs/jobs/test/private-redis.ts';
import { freePort } from '../../../testing/free-port.ts';
import { thorough } from '../../../testing/thorough.ts';
import { slow, slowObject } from './slow.ts';
import { startApi } from './start-api.ts';

interface ShownJob {
  readonly id: string;
  readonly data: { readonly flow: string; readonly parts: number; readonly bytes: number };
  readonly progress: unknown;
  readonly attempts: number;
}

/** Tests the dashboard of the documentation. The first start installs bull-board from the network. */
describe.skipIf(!redisInstalled || !thorough)('the dashboard', () => {
  let redis: PrivateRedis;
  beforeAll(async () => void (redis = await startRedis()));
  afterAll(() => redis.stop());

  it('shows a running asynchronous evaluation and a running study, each with client, size and progress', async () => {
    const { app, url } = await startApi({ ASSAY_REDIS_URL: redis.url, ASSAY_THREADS: '1' });
    const port = await freePort();
    const board = spawn(process.execPath, ['scripts/dashboard.mjs', '--port', String(port)], {
      env: { ...process.env, ASSAY_REDIS_URL: redis.url },
      stdio: 'ignore',
    });
    const begin = async (path: string, body: object): Promise<string> => {
      const headers = { 'content-type': 'application/json' };
      const begun = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return begun.headers.get('location') ?? '';
    };
    // This work takes minutes, so it still runs when the dashboard shows it.
    const objects = Array.from({ length: 40 }, (_, i) => slowObject(`o${i}`, 900));
    const evaluation = await begin('/evaluate?wait=0', { definitions: [slow], objects, options: { deadline: '20m' } });
    const study = await begin('/benchmarks', { definitions: [slow], budget: '20m' });
    const shown = async (queue: string, location: string): Promise<ShownJob | undefined> => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/queues?activeQueue=${queue}&status=active`).catch(() => undefined);
      if (!answer?.ok) return undefined;
      const { queues } = (await answer.json()) as { queues: { name: string; jobs: ShownJob[] }[] };
      const id = location.split('/').at(-1) ?? '';
      return queues.find(({ name }) => name === queue)?.jobs.find((job) => job.id.endsWith(id));
    };
    for (const [queue, location, flow] of [
      ['jobs-normal', evaluation, /^normal\//],
      ['jobs-study', study, /^study\//],
    ] as const) {
      await expect.poll(async () => (await shown(queue, location))?.progress).toBeTypeOf('number');
      const job = await shown(queue, location);
      expect(job).toMatchObject({ data: { flow: expect.stringMatching(flow) as string, bytes: expect.any(Number) as number } });
    }
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    board.kill();
    for (const location of [evaluation, study]) await fetch(`${url}${location}`, { method: 'DELETE' });
    await app.close();
  });
});
