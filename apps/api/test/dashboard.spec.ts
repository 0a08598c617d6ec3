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

  it('shows an asynchronous evaluation that runs, with its client, size and progress', async () => {
    const { app, url } = await startApi({ ASSAY_REDIS_URL: redis.url, ASSAY_THREADS: '1' });
    const port = await freePort();
    const board = spawn(process.execPath, ['scripts/dashboard.mjs', '--port', String(port)], {
      env: { ...process.env, ASSAY_REDIS_URL: redis.url },
      stdio: 'ignore',
    });
    // Minutes of work.
    const objects = Array.from({ length: 40 }, (_, i) => slowObject(`o${i}`, 900));
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ definitions: [slow], objects, options: { deadline: '20m' } });
    const begun = await fetch(`${url}/evaluate?wait=0`, { method: 'POST', headers, body });
    const id = begun.headers.get('location')?.split('/').at(-1);
    const shown = async (): Promise<ShownJob | undefined> => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/queues?activeQueue=jobs-normal&status=active`).catch(() => undefined);
      if (!answer?.ok) return undefined;
      const { queues } = (await answer.json()) as { queues: { name: string; jobs: ShownJob[] }[] };
      return queues.find(({ name }) => name === 'jobs-normal')?.jobs.find((job) => job.id === id);
    };
    await expect.poll(async () => (await shown())?.progress, { timeout: 120_000 }).toBeTypeOf('number');
    expect(await shown()).toMatchObject({
      data: { flow: expect.stringMatching(/^normal\//) as string, parts: expect.any(Number) as number },
    });
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    board.kill();
    await fetch(`${url}/evaluations/${id}`, { method: 'DELETE' });
    await app.close();
  });
});
