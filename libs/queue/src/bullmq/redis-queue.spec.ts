import { Redis } from 'ioredis';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueContract } from '../../test/contract.ts';
import { answer, item, recordOf } from '../../test/evaluations.ts';
import { redisInstalled, startRedis } from '../../test/private-redis.ts';
import type { PrivateRedis } from '../../test/private-redis.ts';
import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import { openConnection } from './connections.ts';
import type { Connection } from './connections.ts';
import { CANCEL, RECONCILE } from './lua/commands.ts';
import { inspectRedis } from './inspect-redis.ts';
import type { RedisAddress } from './redis-address.ts';
import { RedisQueue } from './redis-queue.ts';
import { redisAddressOf } from './redis-settings.ts';

let redis: PrivateRedis | undefined;
let namespaces = 0;

async function deleteKeys(client: Redis, pattern: string): Promise<void> {
  const keys = await client.keys(pattern);
  if (keys.length === 0) throw new Error(`there are no keys ${pattern} to lose`);
  await client.del(keys);
}

async function withConnection(address: RedisAddress, use: (connection: Connection) => Promise<unknown>): Promise<unknown> {
  const connection = openConnection(address, {});
  try {
    return await use(connection);
  } finally {
    connection.disconnect();
  }
}

describe.skipIf(!redisInstalled)('a private redis-server', () => {
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());
  const url = (): string => redis?.url ?? '';

  it('takes back the lease of a consumer that died, although no evaluation lives any more', async () => {
    const namespace = `test-${++namespaces}`;
    const limits = { ...DEFAULT_QUEUE_LIMITS, heartbeatMs: 20, leaseMs: 100 };
    const queue = new RedisQueue(redisAddressOf(url()), { namespace, limits });
    await queue.work.accept(recordOf('e1'));
    await queue.work.enqueue('e1', 0, [item('{}')]);
    await queue.work.claim(AbortSignal.timeout(60_000));
    await queue.cancellations.cancel('e1');
    await expect.poll(() => queue.store.redis.exists(queue.store.keys.leases), { timeout: 60_000 }).toBe(0);
    await queue.close();
  });

  it('tells other processes how many seats a consumer has free, although nothing else is to be told', async () => {
    const namespace = `test-${++namespaces}`;
    const limits = { ...DEFAULT_QUEUE_LIMITS, heartbeatMs: 50 };
    const [one, other] = [0, 1].map(() => new RedisQueue(redisAddressOf(url()), { namespace, limits })) as [RedisQueue, RedisQueue];
    let free = 4;
    const leave = await other.work.join(4, () => free);
    await one.work.join(2);
    const freeHere = (): number => one.work.freeSeatsElsewhere();
    await expect.poll(freeHere, { timeout: 60_000 }).toBe(4);
    free = 1.4;
    await expect.poll(freeHere, { timeout: 60_000 }).toBe(1);
    expect((await one.work.depth()).seats).toBe(6);
    await leave();
    await expect.poll(freeHere, { timeout: 60_000 }).toBe(0);
    await Promise.all([one.close(), other.close()]);
  });

  it('carries prices from the process that learned them to those that ask', async () => {
    const namespace = `test-${++namespaces}`;
    const [one, other] = [0, 1].map(() => new RedisQueue(redisAddressOf(url()), { namespace })) as [RedisQueue, RedisQueue];
    expect(await one.prices.exchange({ learned: new Map([['a', 0.25]]), wanted: ['b'] })).toEqual(new Map());
    expect(await other.prices.exchange({ learned: new Map(), wanted: ['a', 'b'] })).toEqual(new Map([['a', 0.25]]));
    expect(await other.work.expectedItemMs(['a'])).toBe(0.25);
    await Promise.all([one.close(), other.close()]);
  });

  it('of all processes one is told once how an evaluation ended', async () => {
    const namespace = `test-${++namespaces}`;
    const queues = Array.from({ length: 3 }, () => new RedisQueue(redisAddressOf(url()), { namespace }));
    const ends: string[] = [];
    for (const [i, queue] of queues.entries()) queue.ends.onEnded(({ id, end }) => ends.push(`${id} ${end} ${i}`));
    const [accepting, slow, quick] = queues;
    if (!accepting || !slow || !quick) throw new Error('there are three');
    await accepting.work.accept(recordOf('e1'));
    await accepting.work.enqueue('e1', 0, [item('{}')]);
    await accepting.work.seal('e1');
    const late = await slow.work.claim(AbortSignal.timeout(60_000));
    await quick.work.expireLeases();
    const again = await quick.work.claim(AbortSignal.timeout(60_000));
    if (!late || !again) throw new Error('no chunk came');
    expect(await quick.work.commit(again, answer('good'))).toBe('stored');
    expect(await slow.work.commit(late, answer('late'))).toBe('duplicate');
    await accepting.cancellations.cancel('e1');
    // Long enough for each to reconcile.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(ends).toEqual(['e1 complete 2']);
    await Promise.all(queues.map((queue) => queue.close()));
  });

  it('a call that is sent again after a lost reply is told the same ends again, and no other is', async () => {
    const queue = new RedisQueue(redisAddressOf(url()), { namespace: `test-${++namespaces}` });
    const { redis: server, scripts, keys } = queue.store;
    const chunks = [[item('{}')]];
    const given = { periodMs: 1000, graceMs: 10_000 };
    const reconcile = async (nonce: string): Promise<readonly string[]> => {
      await server.del(`${keys.prefix}:reconciling`);
      return scripts.words(RECONCILE, { ...given, nonce });
    };
    const cancel = (nonce: string) => scripts.words(CANCEL, { id: 'cancelled', nonce });
    await queue.work.submit(recordOf('cancelled'), chunks);
    for (const nonce of ['a', 'a', 'b']) await cancel(nonce);
    expect([await cancel('a'), await cancel('b')]).toEqual([
      ['over', 'cancelled'],
      ['over', ''],
    ]);
    await queue.work.submit(recordOf('lost'), chunks);
    await queue.work.submit(recordOf('late', { settings: { ...recordOf('late').settings, deadlineAt: 0 } }), chunks);
    await server.del(`${keys.prefix}:wait:lost`);
    const [living, , ...ends] = await scripts.words(RECONCILE, { ...given, graceMs: -1, nonce: 'a' });
    expect([living, ends.join(' ')]).toEqual(['0', expect.stringMatching(/^(?:lost lost late cancelled|late cancelled lost lost)$/)]);
    const did = 'reconciled';
    expect([await reconcile('a'), await reconcile('b')]).toEqual([
      ['0', did, ...ends],
      ['0', did],
    ]);
    await queue.close();
  });

  it('needs no more than the user of the manifests has', async () => {
    const example = readFileSync(new URL('../../../../k8s/components/redis-access/secret.example.yaml', import.meta.url), 'utf8');
    const [, rules = ''] = /user assay (on .*)/.exec(example) ?? [];
    await redis?.command(`ACL SETUSER assay ${rules.replace(/#\S+/, '>word')}`);
    const address = redisAddressOf(url().replace('//', '//assay:word@'));
    expect(await inspectRedis(address)).toEqual({ kind: 'usable', warnings: [] });
    const reported: string[] = [];
    const queue = new RedisQueue(address, { report: ({ reason }) => reported.push(reason) });
    await queue.probe();
    const leave = await queue.work.join(1);
    await queue.work.submit(recordOf('e1'), [[item('{}')]]);
    const claim = await queue.work.claim(AbortSignal.timeout(60_000));
    if (!claim) throw new Error('no chunk came');
    expect(await queue.work.commit(claim, answer('one'))).toBe('stored');
    expect((await queue.results.result('e1', 0))?.verdicts).toEqual(['one']);
    const fleet = queue.studies();
    const stop = fleet.serve({
      studies: 1,
      performStudy: async (id) => {
        await fleet.store.finish(id, 'over', 'report');
        return 'over';
      },
    });
    await fleet.store.put('s1', 'record', 'order');
    await fleet.offer('s1', 'flow');
    await expect.poll(() => fleet.store.report('s1'), { timeout: 60_000 }).toBe('report');
    await stop();
    await leave();
    await queue.close();
    expect(reported).toEqual([]);
    // What is not Assay's it does not reach.
    await expect(withConnection(address, (redisOfUser) => redisOfUser.get('other'))).rejects.toThrow(/NOPERM/);
    await expect(withConnection(address, (redisOfUser) => redisOfUser.flushall())).rejects.toThrow(/NOPERM/);
  });

  queueContract('Redis', {
    open: (limits) =>
      Promise.resolve(
        new RedisQueue(redisAddressOf(url()), { namespace: `test-${++namespaces}`, limits: { ...DEFAULT_QUEUE_LIMITS, ...limits } }),
      ),
    reopen: async () => {
      const queue = new RedisQueue(redisAddressOf(url()), { namespace: `test-${namespaces}` });
      // What a dead consumer had claimed comes back when its lease ends; here that is brought about at once.
      await queue.work.expireLeases();
      return queue;
    },
    lose: async (what) => {
      const client = new Redis(url());
      if (what === 'everything') await client.flushall();
      else await deleteKeys(client, `{test-${namespaces}}:${what}*`);
      client.disconnect();
    },
  });
});
