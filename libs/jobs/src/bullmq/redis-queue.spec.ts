import { Redis } from 'ioredis';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueContract } from '../../test/contract.ts';
import { answer, item, recordOf } from '../../test/evaluations.ts';
import { studyOf, TEXT_STUDIES } from '../../test/study-jobs.ts';
import { redisInstalled, startRedis } from '../../test/private-redis.ts';
import type { PrivateRedis } from '../../test/private-redis.ts';
import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import { openConnection } from './connections.ts';
import type { Connection } from './connections.ts';
import { END, HEARTBEAT } from './lua/commands.ts';
import { inspectRedis } from './check-redis.ts';
import { RedisQueue } from './redis-queue.ts';
import { redisAddressOf } from './redis-address.ts';
import type { RedisAddress } from './redis-address.ts';

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

describe.skipIf(!redisInstalled)('the queue in Redis', () => {
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());
  const url = (): string => redis?.url ?? '';

  it('reports the free seats of a process to other processes, even if nothing else changed', async () => {
    const namespace = `test-${++namespaces}`;
    const limits = { ...DEFAULT_QUEUE_LIMITS, heartbeatMs: 50 };
    const [one, other] = [0, 1].map(() => new RedisQueue(redisAddressOf(url()), { namespace, limits })) as [RedisQueue, RedisQueue];
    let free = 4;
    const leave = await other.seats.join(4, () => free);
    await one.seats.join(2);
    const freeHere = (): number => one.seats.freeSeatsElsewhere();
    await expect.poll(freeHere).toBe(4);
    free = 1.4;
    await expect.poll(freeHere).toBe(1);
    expect(one.seats.seatsElsewhere()).toEqual([4]);
    expect(other.seats.seatsElsewhere()).toEqual([2]);
    await leave();
    await expect.poll(freeHere).toBe(0);
    await Promise.all([one.close(), other.close()]);
  });

  it('sends the measured prices of definitions from one process to other processes on request', async () => {
    const namespace = `test-${++namespaces}`;
    const [one, other] = [0, 1].map(() => new RedisQueue(redisAddressOf(url()), { namespace })) as [RedisQueue, RedisQueue];
    expect(await one.prices.exchange({ learned: new Map([['a', 0.25]]), wanted: ['b'] })).toEqual(new Map());
    expect(await other.prices.exchange({ learned: new Map(), wanted: ['a', 'b'] })).toEqual(new Map([['a', 0.25]]));
    await Promise.all([one.close(), other.close()]);
  });

  it('reports the end of an evaluation to exactly one process', async () => {
    const namespace = `test-${++namespaces}`;
    const queues = Array.from({ length: 3 }, () => new RedisQueue(redisAddressOf(url()), { namespace }));
    const ends: string[] = [];
    for (const [i, queue] of queues.entries()) queue.jobs.onEnded(({ id, end }) => ends.push(`${id} ${end} ${i}`));
    const [accepting, slow, quick] = queues;
    if (!accepting || !slow || !quick) throw new Error('there are three');
    expect(await accepting.jobs.submit(recordOf('e1'), [[item('{}')]])).toBe('accepted');
    const late = await slow.jobs.begin('e1');
    const again = await quick.jobs.begin('e1');
    if (!late || !again) throw new Error('the job did not begin');
    expect(await quick.jobs.store(again, { part: 0, bytes: 2, result: answer('good') })).toBe('stored');
    expect(await slow.jobs.store(late, { part: 0, bytes: 2, result: answer('late') })).toBe('duplicate');
    await accepting.jobs.cancel('e1');
    // The pause is long enough for a heartbeat of each process.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(ends).toEqual(['e1 complete 2']);
    await Promise.all(queues.map((queue) => queue.close()));
  });

  it('gives a repeated call after a lost reply the same ended evaluations, and gives them to no other call', async () => {
    const queue = new RedisQueue(redisAddressOf(url()), { namespace: `test-${++namespaces}` });
    const { redis: server, scripts, keys } = queue.store;
    const parts = [[item('{}')]];
    const beat = async (nonce: string, graceMs = 10_000, stepMs = 60_000): Promise<readonly string[]> => {
      await server.del(`${keys.prefix}:repairing`);
      const [living, did, ends] = (await scripts.run(HEARTBEAT, {
        consumers: [],
        periodMs: 1000,
        graceMs,
        stepMs,
        nonce,
      })) as readonly unknown[];
      return [String(living), String(did), ...(ends as readonly unknown[]).map(String)];
    };
    const cancel = (nonce: string) => scripts.words(END, { id: 'cancelled', event: 'cancel', nonce });
    await queue.jobs.submit(recordOf('cancelled'), parts);
    for (const nonce of ['a', 'a', 'b']) await cancel(nonce);
    expect([await cancel('a'), await cancel('b')]).toEqual([
      ['over', 'cancelled', 'normal'],
      ['over', '', 'normal'],
    ]);
    await queue.jobs.submit(recordOf('lost'), parts);
    await queue.jobs.submit(recordOf('late', { settings: { ...recordOf('late').settings, deadlineAt: 0 } }), parts);
    await server.del(keys.bodies('lost'));
    const [living, did, ...ends] = await beat('a', -1);
    expect([living, did, ends.join(' ')]).toEqual([
      '0',
      'repaired',
      expect.stringMatching(/^(?:lost lost late cancelled|late cancelled lost lost)$/),
    ]);
    expect([await beat('a'), await beat('b')]).toEqual([
      ['0', '', ...ends],
      ['0', 'repaired'],
    ]);
    // A process that died during a submission sends no more parts.
    await queue.jobs.add(recordOf('torn'), parts, 'partial');
    expect([await beat('c'), await beat('d', 10_000, -1)]).toEqual([
      ['1', 'repaired'],
      ['0', 'repaired', 'torn', 'cancelled'],
    ]);
    await queue.close();
  });

  it('changes nothing if a submission, a start or a result is repeated after a lost reply', async () => {
    const queue = new RedisQueue(redisAddressOf(url()), { namespace: `test-${++namespaces}` });
    const { scripts } = queue.store;
    // Each script is sent twice, and the second answer counts.
    const run = scripts.run.bind(scripts);
    scripts.run = async (command, given) => {
      await run(command, given);
      return run(command, given);
    };
    const ends: string[] = [];
    queue.jobs.onEnded(({ id, end }) => ends.push(`${id} ${end}`));
    expect(await queue.jobs.add(recordOf('e1'), [[item('{}')]], 'partial')).toBe('accepted');
    expect(await queue.jobs.append('e1', 1, [[item('{}')]], 'partial')).toBe('added');
    await queue.jobs.append('e1', 2, [], 'whole');
    expect(await queue.jobs.depth()).toEqual({ jobs: 1, waiting: 2, waitingBytes: 4, resultBytes: 0 });
    const job = await queue.jobs.begin('e1');
    expect(job).toMatchObject({ parts: 2, startsWithoutResult: 1, starts: 1 });
    for (const part of [0, 1]) if (job) expect(await queue.jobs.store(job, { part, bytes: 2, result: answer('x') })).toBe('duplicate');
    expect(await queue.jobs.progress('e1')).toMatchObject({ phase: 'complete', partsDone: 2, tally: { items: 2 } });
    expect(await queue.jobs.depth()).toEqual({ jobs: 0, waiting: 0, waitingBytes: 0, resultBytes: 2 });
    expect(await queue.jobs.submit(recordOf('e2'), [[item('{}')]])).toBe('accepted');
    expect(await queue.jobs.submit(recordOf('e3'), [])).toBe('accepted');
    expect(await queue.jobs.cancel('e2')).toBe(true);
    expect(ends).toEqual(['e1 complete', 'e3 complete', 'e2 cancelled']);
    await queue.close();
  });

  it('needs only the Redis permissions that the manifests grant', async () => {
    const example = readFileSync(new URL('../../../../k8s/components/redis-access/secret.example.yaml', import.meta.url), 'utf8');
    const [, rules = ''] = /user assay (on .*)/.exec(example) ?? [];
    await redis?.command(`ACL SETUSER assay ${rules.replace(/#\S+/, '>word')}`);
    const address = redisAddressOf(url().replace('//', '//assay:word@'));
    expect(await inspectRedis(address)).toEqual({ kind: 'usable', warnings: [] });
    const reported: string[] = [];
    const queue = new RedisQueue(address, { report: ({ reason }) => reported.push(reason) });
    await queue.probe();
    const leave = await queue.seats.join(1);
    const stopJobs = queue.line.serve(async (id) => {
      const job = await queue.jobs.begin(id);
      if (job && (await queue.jobs.part(job, 0))) await queue.jobs.store(job, { part: 0, bytes: 2, result: answer('one') });
      return 'over';
    });
    await queue.jobs.submit(recordOf('e1'), [[item('{}')]]);
    expect((await queue.jobs.result('e1', 0))?.verdicts).toEqual(['one']);
    await stopJobs();
    const studies = queue.open(TEXT_STUDIES);
    const stop = studies.line.serve(async (id) => {
      const job = await studies.jobs.begin(id);
      if (job && (await studies.jobs.note(job, 'begun'))) await studies.jobs.store(job, { part: 0, bytes: 5, result: 'report' });
      return 'over';
    });
    await studies.jobs.submit(studyOf('s1'), ['order']);
    expect(await studies.jobs.result('s1', 0)).toBe('report');
    await queue.threadTime.charge('2027-01-31', 'one', 5);
    await stop();
    await leave();
    await queue.close();
    expect(reported).toEqual([]);
    // The user has no access to keys of other software.
    await expect(withConnection(address, (redisOfUser) => redisOfUser.get('other'))).rejects.toThrow(/NOPERM/);
    await expect(withConnection(address, (redisOfUser) => redisOfUser.flushall())).rejects.toThrow(/NOPERM/);
  });

  it('sets an expiry on the keys and indexes of jobs', async () => {
    const queue = new RedisQueue(redisAddressOf(url()), { namespace: 'expiring' });
    const studies = queue.open(TEXT_STUDIES);
    await queue.jobs.submit(recordOf('e1'), [[item('{}')]]);
    await studies.jobs.submit(studyOf('s1'), ['order']);
    const { redis: connection, keys } = queue.store;
    const names = [keys.job('e1'), keys.bodies('e1'), keys.index('evaluation'), keys.job('study/s1'), keys.index('study')];
    for (const name of names) expect(await connection.pttl(name), name).toBeGreaterThan(3_600_000);
    await queue.close();
  });

  queueContract('Redis', {
    open: (limits) =>
      Promise.resolve(
        new RedisQueue(redisAddressOf(url()), { namespace: `test-${++namespaces}`, limits: { ...DEFAULT_QUEUE_LIMITS, ...limits } }),
      ),
    reopen: () => Promise.resolve(new RedisQueue(redisAddressOf(url()), { namespace: `test-${namespaces}` })),
    lose: async (what) => {
      const client = new Redis(url());
      if (what === 'everything') await client.flushall();
      else await deleteKeys(client, `{test-${namespaces}}:${what}*`);
      client.disconnect();
    },
  });
});
