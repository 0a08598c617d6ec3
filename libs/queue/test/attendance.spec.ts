import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RedisQueue } from '../src/bullmq/redis-queue.ts';
import { DEFAULT_QUEUE_LIMITS } from '../src/limits.ts';
import type { Claim } from '../src/ports.ts';
import { answer } from './evaluations.ts';
import { redisInstalled, startRedis } from './private-redis.ts';
import type { PrivateRedis } from './private-redis.ts';

const ATTENDANT = fileURLToPath(new URL('attendant.ts', import.meta.url));
const ATTENDANCE_MS = 4000;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Evaluations whose client waits on a process that dies, freezes, or cannot be heard. */
describe.skipIf(!redisInstalled)('evaluations of a process that', { timeout: 60_000 }, () => {
  let redis: PrivateRedis;
  let queue: RedisQueue;
  let attendant: ChildProcess;
  let written = '';
  let namespaces = 0;
  let namespace = '';
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  afterEach(async () => {
    attendant.kill('SIGKILL');
    await queue.close();
  });

  /** The other process, and a queue beside it that audits. */
  async function start(): Promise<void> {
    namespace = `attendance-${++namespaces}`;
    queue = new RedisQueue(redis.url, namespace, { ...DEFAULT_QUEUE_LIMITS, servingMs: ATTENDANCE_MS });
    written = '';
    const args = ['--conditions=source', ATTENDANT, redis.url, namespace, String(ATTENDANCE_MS)];
    attendant = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    attendant.stdout?.on('data', (text: Buffer) => (written += text.toString()));
    await until(() => written.includes('queued'));
  }
  async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
    for (let i = 0; i < 600; i++) {
      if (await holds()) return;
      await sleep(50);
    }
    throw new Error('it never came about');
  }
  const known = async (id: string): Promise<boolean> => (await queue.results.progress(id)) !== undefined;
  async function claim(): Promise<Claim> {
    const taken = await queue.work.claim(AbortSignal.timeout(5000));
    if (!taken) throw new Error('no chunk came');
    return taken;
  }
  /** Both chunks, by evaluation. */
  async function claimBoth(): Promise<Record<string, Claim>> {
    const claims = [await claim(), await claim()];
    return Object.fromEntries(claims.map((taken) => [taken.chunk.evaluation, taken]));
  }

  it('dies end soon, and who runs them is told; detached ones go on', async () => {
    await start();
    const told: string[] = [];
    queue.cancellations.onCancelled((id) => told.push(id));
    const { attached, detached } = await claimBoth();
    if (!attached || !detached) throw new Error('a chunk is missing');
    attendant.kill('SIGKILL');
    const killed = performance.now();
    await until(async () => !(await known('attached')));
    expect(performance.now() - killed).toBeLessThan(ATTENDANCE_MS + 4000);
    expect(await queue.work.renew([attached, detached])).toEqual([false, true]);
    expect(await queue.work.commit(attached, answer('nobody reads it'))).toBe('gone');
    expect(await queue.work.commit(detached, answer('kept'))).toBe('stored');
    expect((await queue.results.result('detached', 0))?.verdicts).toEqual(['kept']);
    expect(await queue.work.depth()).toMatchObject({ waiting: 0, claimed: 0, waitingBytes: 0 });
    await until(() => told.includes('attached'));
    expect(told).toEqual(['attached']);
  });

  it('is frozen for longer end, and it learns that when it comes back', async () => {
    await start();
    attendant.kill('SIGSTOP');
    await until(async () => !(await known('attached')));
    expect(await known('detached')).toBe(true);
    attendant.kill('SIGCONT');
    await until(() => written.includes('answered'));
    expect(written).toContain('answered nothing');
  });

  it('lives go on', async () => {
    await start();
    await sleep(ATTENDANCE_MS + 3000);
    const { attached } = await claimBoth();
    if (!attached) throw new Error('it was dropped');
    expect(await queue.work.commit(attached, answer('read'))).toBe('stored');
    await until(() => written.includes('answered read'));
  });

  it('could not be heard, since the server stood still, go on', async () => {
    await start();
    redis.signal('SIGSTOP');
    attendant.kill('SIGSTOP');
    await sleep(ATTENDANCE_MS + 2500);
    redis.signal('SIGCONT');
    // Others find the server sooner than the process that attends.
    await sleep(2000);
    attendant.kill('SIGCONT');
    await sleep(ATTENDANCE_MS);
    expect(await known('attached')).toBe(true);
    await queue.work.commit(await claim(), answer('read'));
    await queue.work.commit(await claim(), answer('read'));
    await until(() => written.includes('answered read'));
  });

  it('the server forgot to be there go on', async () => {
    await start();
    await redis.command(`DEL {${namespace}}:serving`);
    await sleep(3000);
    expect(await known('attached')).toBe(true);
    // Nor does a server that has forgotten everything keep anybody from being served after.
    await redis.flush();
    await until(() => written.includes('answered nothing'));
    expect(await queue.work.depth()).toMatchObject({ waiting: 0, claimed: 0 });
  });
});
