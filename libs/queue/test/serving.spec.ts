import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RedisConnections } from '../src/bullmq/connections.ts';
import { RedisQueue } from '../src/bullmq/redis-queue.ts';
import { redisAddressOf } from '../src/bullmq/redis-settings.ts';
import { RedisStore } from '../src/bullmq/redis-store.ts';
import type { Claim } from '../src/ports.ts';
import { answer } from './evaluations.ts';
import { redisInstalled, startRedis } from './private-redis.ts';
import type { PrivateRedis } from './private-redis.ts';
import { SERVING_LIMITS } from './serving-limits.ts';

const SERVING_PROCESS = fileURLToPath(new URL('serving-process.ts', import.meta.url));

/**
 * Tests of evaluations whose clients are connected to a process that dies, freezes, or loses its connection. Instead of waiting, the tests
 * set the heartbeats in Redis to an old time.
 */
describe.skipIf(!redisInstalled)('evaluations of a process that', () => {
  let redis: PrivateRedis;
  let connections: RedisConnections;
  let store: RedisStore;
  let queue: RedisQueue;
  let serving: ChildProcess;
  let written = '';
  let namespaces = 0;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  afterEach(async () => {
    serving.kill('SIGKILL');
    await queue.close();
    store.close();
    connections.close();
  });

  /** Starts the serving process, and opens a queue in this process that reconciles the stored data. */
  async function start(): Promise<void> {
    const namespace = `serving-${++namespaces}`;
    const address = redisAddressOf(redis.url);
    queue = new RedisQueue(address, { namespace, limits: SERVING_LIMITS });
    connections = new RedisConnections(address);
    store = RedisStore.over(connections, namespace, SERVING_LIMITS);
    written = '';
    serving = spawn(process.execPath, ['--conditions=source', SERVING_PROCESS, redis.url, namespace], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    serving.stdout?.on('data', (text: Buffer) => (written += text.toString()));
    await until(() => written.includes('queued'));
  }
  /** Waits until a condition holds. Only the timeout of the test limits the wait. */
  async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const known = async (id: string): Promise<boolean> => (await queue.results.progress(id)) !== undefined;
  const key = (): string => `${store.keys.prefix}:serving`;
  /** Returns the time, in epoch ms, until which the serving process counts as alive; 0 if no process is recorded. */
  const countsUntil = async (): Promise<number> => Number((await store.redis.zrange(key(), '0', '0', 'WITHSCORES'))[1] ?? 0);
  async function name(): Promise<string> {
    return (await store.redis.zrange(key(), '0', '0'))[0] ?? '';
  }
  /**
   * Sets the heartbeat of a process to an old time, repeatedly, until the process counts as gone. Repetition is needed because a heartbeat
   * sent before may still arrive. On a busy machine, the reconciliation may also assume that all processes were suspended.
   */
  async function untilGone(process: string): Promise<void> {
    await until(async () => {
      await store.redis.zadd(key(), 1, process);
      return !(await known('attached'));
    });
  }
  async function claim(): Promise<Claim> {
    const taken = await queue.work.claim(AbortSignal.timeout(60_000));
    if (!taken) throw new Error('no chunk came');
    return taken;
  }
  /** Claims the chunks of both evaluations. Returns the claims by evaluation id. */
  async function claimBoth(): Promise<Record<string, Claim>> {
    const claims = [await claim(), await claim()];
    return Object.fromEntries(claims.map((taken) => [taken.chunk.evaluation, taken]));
  }

  it('dies end soon, and who runs them is told; detached ones go on', async () => {
    await start();
    const reported: string[] = [];
    queue.cancellations.onCancelled((id) => reported.push(id));
    const { attached, detached } = await claimBoth();
    if (!attached || !detached) throw new Error('a chunk is missing');
    const process = await name();
    serving.kill('SIGKILL');
    await until(() => serving.signalCode !== null);
    await untilGone(process);
    expect(await queue.work.renew([attached, detached])).toEqual([false, true]);
    expect(await queue.work.commit(attached, answer('nobody reads it'))).toBe('gone');
    expect(await queue.work.commit(detached, answer('kept'))).toBe('stored');
    expect((await queue.results.result('detached', 0))?.verdicts).toEqual(['kept']);
    expect(await queue.work.depth()).toMatchObject({ waiting: 0, claimed: 0, waitingBytes: 0 });
    await until(() => reported.includes('attached'));
    expect(reported).toEqual(['attached']);
  });

  it('is frozen for longer end, and it learns that when it comes back', async () => {
    await start();
    const process = await name();
    serving.kill('SIGSTOP');
    await untilGone(process);
    expect(await known('detached')).toBe(true);
    serving.kill('SIGCONT');
    await until(() => written.includes('answered'));
    expect(written).toContain('answered nothing');
  });

  it('lives go on: it sends heartbeats', async () => {
    await start();
    for (let i = 0; i < 3; i++) {
      const before = await countsUntil();
      await until(async () => (await countsUntil()) > before);
    }
    const { attached } = await claimBoth();
    if (!attached) throw new Error('it was dropped');
    expect(await queue.work.commit(attached, answer('read'))).toBe('stored');
    await until(() => written.includes('answered read'));
  });

  it('could not be heard, since the server stood still, go on', async () => {
    await start();
    const process = await name();
    serving.kill('SIGSTOP');
    // Others find the server sooner than the process that serves: nobody reconciled for long, and its heartbeat is old.
    await store.redis.multi().del(`${store.keys.prefix}:reconciled`).zadd(key(), 1, process).exec();
    await until(async () => (await countsUntil()) > 1);
    expect(await known('attached')).toBe(true);
    serving.kill('SIGCONT');
    await queue.work.commit(await claim(), answer('read'));
    await queue.work.commit(await claim(), answer('read'));
    await until(() => written.includes('answered read'));
  });

  it('the server forgot to be there go on', async () => {
    await start();
    serving.kill('SIGSTOP');
    await store.redis.del(key());
    await until(async () => (await countsUntil()) > 0);
    expect(await known('attached')).toBe(true);
    serving.kill('SIGCONT');
    // Nor does a server that has forgotten everything keep anybody from being served after.
    await redis.flush();
    await until(() => written.includes('answered nothing'));
    expect(await queue.work.depth()).toMatchObject({ waiting: 0, claimed: 0 });
  });
});
