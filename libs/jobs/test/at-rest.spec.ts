import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { latestServer } from '#kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConnection } from '../src/bullmq/connections.ts';
import { inspectRedis } from '../src/bullmq/check-redis.ts';
import { RedisQueue } from '../src/bullmq/redis-queue.ts';
import { redisAddressOf } from '../src/bullmq/redis-address.ts';
import { EmbeddedQueue } from '../src/embedded/embedded-queue.ts';
import { DEFAULT_QUEUE_LIMITS } from '../src/limits.ts';
import type { QueueAdapter } from '../src/ports.ts';
import { isUnavailable } from '../src/unavailable.ts';
import { answer, flowOf, item, recordOf, settingsWith } from './evaluations.ts';
import { redisInstalled, startRedis } from './private-redis.ts';
import { studyOf, TEXT_STUDIES } from './study-jobs.ts';
import type { PrivateRedis } from './private-redis.ts';

const key = (id: string, fill: number) => ({ id, key: Buffer.alloc(32, fill) });
const [first, second] = [key('first', 1), key('second', 2)];
/** Text that occurs in all content that clients send and receive in these tests. */
const SECRET = 'a-secret-word';

/** Stores an evaluation with one result and one part that has none. */
async function fill(queue: QueueAdapter): Promise<void> {
  const slice = item(`{"definition":"${SECRET}"}`);
  await queue.definitions.put({ digest: 'd', slice, ...latestServer() }, { flow: flowOf('f'), leftMs: 60_000 });
  const record = recordOf('e1', { owner: SECRET, settings: settingsWith('d') });
  expect(await queue.jobs.submit(record, [[item(`{"a":"${SECRET}"}`)], [item(`{"b":"${SECRET}"}`)]])).toBe('accepted');
  const job = await queue.jobs.begin('e1');
  if (!job) throw new Error('the job cannot begin');
  expect(await queue.jobs.store(job, { part: 0, bytes: 2, result: answer(SECRET) })).toBe('stored');
  const studies = queue.open(TEXT_STUDIES).jobs;
  for (const id of ['s1', 's2']) await studies.submit({ ...studyOf(id), owner: SECRET }, [SECRET]);
  const study = await studies.begin('s1');
  if (!study) throw new Error('the study cannot begin');
  expect(await studies.store(study, { part: 0, bytes: 2, result: SECRET, note: SECRET })).toBe('stored');
}

/** Expects that reading returns all stored content of the evaluation unchanged. */
async function expectReadable(queue: QueueAdapter): Promise<void> {
  expect(await queue.jobs.record('e1')).toMatchObject({ owner: SECRET });
  expect((await queue.jobs.result('e1', 0))?.verdicts).toEqual([SECRET]);
  expect(Buffer.from((await queue.definitions.get('d'))?.slice.bytes ?? []).toString()).toContain(SECRET);
  const job = await queue.jobs.begin('e1');
  const part = job && (await queue.jobs.part(job, 1));
  expect(Buffer.from(part?.items[0]?.bytes ?? []).toString()).toBe(`{"b":"${SECRET}"}`);
  const studies = queue.open(TEXT_STUDIES).jobs;
  expect([await studies.result('s1', 0), await studies.noted('s1')]).toEqual([SECRET, SECRET]);
  const study = await studies.begin('s2');
  expect(study && (await studies.part(study, 0))).toBe(SECRET);
}

describe('a journal with encryption keys', () => {
  it('contains no plain text, and is readable only with its key, at any position in the list', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'assay-at-rest-')), 'journal.sqlite');
    const open = (...contentKeys: ReturnType<typeof key>[]): EmbeddedQueue =>
      new EmbeddedQueue(file, DEFAULT_QUEUE_LIMITS, { contentKeys });
    const queue = open(first);
    await fill(queue);
    for (const name of readdirSync(dirname(file))) expect(readFileSync(join(dirname(file), name)).includes(SECRET), name).toBe(false);
    await queue.close();
    expect(() => open()).toThrow(/under the key "first", which ASSAY_ENCRYPTION_KEYS_FILE does not hold/);
    expect(() => open(second)).toThrow(/"first"/);
    expect(() => open(key('first', 9))).toThrow(/does not open with the key "first"/);
    const rotated = open(second, first);
    await expectReadable(rotated);
    await rotated.close();
    // The old key is needed until its contents have expired.
    expect(() => open(second)).toThrow(/"first"/);
    const whole = open(second, first);
    await whole.jobs.forget('e1');
    await whole.close();
    // The definition was deleted with the evaluation that needed it.
    const after = open(second);
    expect(await after.definitions.get('d')).toBeUndefined();
    await after.close();
  });

  it('in plain text is readable, and is encrypted when it is written again', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'assay-at-rest-')), 'journal.sqlite');
    const plain = new EmbeddedQueue(file);
    await fill(plain);
    await plain.close();
    const sealed = new EmbeddedQueue(file, DEFAULT_QUEUE_LIMITS, { contentKeys: [first] });
    await expectReadable(sealed);
    await sealed.close();
    expect(() => new EmbeddedQueue(file)).toThrow(/"first"/);
  });
});

describe.skipIf(!redisInstalled)('Redis with encryption keys', () => {
  let redis: PrivateRedis | undefined;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  it('contains no plain text, and is readable only with its key, at any position in the list', async () => {
    const address = redisAddressOf(redis?.url ?? '');
    expect(await inspectRedis(address, { contentKeys: [first] })).toMatchObject({ kind: 'usable' });
    const queue = new RedisQueue(address, { contentKeys: [first] });
    await fill(queue);
    const connection = openConnection(address, {});
    for (const name of await connection.keys('*')) {
      const dump = await connection.callBuffer('DUMP', name);
      expect(Buffer.isBuffer(dump) && dump.includes(SECRET), name).toBe(false);
    }
    connection.disconnect();
    await queue.close();
    for (const contentKeys of [[], [second], [key('first', 9)]])
      expect(await inspectRedis(address, { contentKeys })).toMatchObject({
        kind: 'wrong',
        reason: expect.stringContaining('"first"') as string,
      });
    const keyless = new RedisQueue(address);
    const failure: unknown = await keyless.jobs.result('e1', 0).catch((error: unknown) => error);
    expect(isUnavailable(failure)).toBe(true);
    await keyless.close();
    expect(await inspectRedis(address, { contentKeys: [second, first] })).toMatchObject({ kind: 'usable' });
    const rotated = new RedisQueue(address, { contentKeys: [second, first] });
    await expectReadable(rotated);
    await rotated.close();
    expect(await inspectRedis(address, { contentKeys: [first] })).toMatchObject({
      kind: 'wrong',
      reason: expect.stringContaining('"second"') as string,
    });
  });
});
