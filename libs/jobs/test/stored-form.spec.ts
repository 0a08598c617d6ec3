import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inspectRedis } from '../src/bullmq/check-redis.ts';
import { RedisQueue } from '../src/bullmq/redis-queue.ts';
import { redisAddressOf } from '../src/bullmq/redis-address.ts';
import { EmbeddedQueue } from '../src/embedded/embedded-queue.ts';
import { UnusableJournal } from '../src/embedded/open-journal.ts';
import { JOURNAL_FORM, REDIS_FORM } from '../src/stored-form.ts';
import { item, recordOf } from './evaluations.ts';
import { redisInstalled, startRedis } from './private-redis.ts';
import type { PrivateRedis } from './private-redis.ts';

/** Returns a pattern for the error text that contains the form numbers `stored` and `own`, and the path of the documentation. */
const refusalOf = (stored: number, own: number): RegExp =>
  new RegExp(`has form ${stored}, and this release reads and writes form ${own};.*docs/how-to/upgrade\\.md`);

describe('the form number of a journal', () => {
  const newFile = (): string => join(mkdtempSync(join(tmpdir(), 'assay-form-')), 'journal.sqlite');
  const formOf = (file: string, set?: number): unknown => {
    const db = new DatabaseSync(file);
    if (set !== undefined) db.exec(`PRAGMA user_version = ${set}`);
    const form = db.prepare('PRAGMA user_version').get()?.['user_version'];
    db.close();
    return form;
  };

  it('is written, even into a journal without a number, whose evaluations continue', async () => {
    const file = newFile();
    const first = new EmbeddedQueue(file);
    await first.jobs.submit(recordOf('e1'), [[item('{}')]]);
    await first.close();
    expect(formOf(file)).toBe(JOURNAL_FORM);
    formOf(file, 0);
    const second = new EmbeddedQueue(file);
    expect(await second.jobs.progress('e1')).toMatchObject({ phase: 'running' });
    await second.close();
    expect(formOf(file)).toBe(JOURNAL_FORM);
  });

  it('of a later release is rejected, and the journal stays unchanged and unlocked', async () => {
    const file = newFile();
    formOf(file, JOURNAL_FORM + 1);
    expect(() => new EmbeddedQueue(file)).toThrow(UnusableJournal);
    expect(() => new EmbeddedQueue(file)).toThrow(refusalOf(JOURNAL_FORM + 1, JOURNAL_FORM));
    expect(formOf(file)).toBe(JOURNAL_FORM + 1);
    formOf(file, JOURNAL_FORM);
    await new EmbeddedQueue(file).close();
  });
});

describe.skipIf(!redisInstalled)('the form number in Redis', () => {
  let redis: PrivateRedis;
  let client: ReturnType<PrivateRedis['connect']>;
  beforeAll(async () => {
    redis = await startRedis();
    client = redis.connect();
  });
  afterAll(() => {
    client.disconnect();
    redis.stop();
  });
  afterEach(() => redis.flush());
  const address = () => redisAddressOf(redis.url);
  const refused = (stored: number) => ({ kind: 'wrong', reason: expect.stringMatching(refusalOf(stored, REDIS_FORM)) as string });

  it('is set by the first process, and a process with another form number does not start', async () => {
    expect(await inspectRedis(address())).toMatchObject({ kind: 'usable' });
    expect(await client.get('{assay}:format')).toBe(String(REDIS_FORM));
    expect(await inspectRedis(address())).toMatchObject({ kind: 'usable' });
    await client.set('{assay}:format', String(REDIS_FORM + 1));
    expect(await inspectRedis(address())).toMatchObject(refused(REDIS_FORM + 1));
    expect(await client.get('{assay}:format')).toBe(String(REDIS_FORM + 1));
  });

  it.each([
    ['an evaluation lives', async () => client.hset('{assay}:living', 'e1', 'its queue key')],
    ['a consumer takes part', async () => client.zadd('{assay}:consumers', Date.now() + 60_000, 'worker')],
  ])('counts as 1 if %s without a number', async (_, before) => {
    await before();
    expect(await inspectRedis(address())).toMatchObject(refused(1));
    await redis.flush();
    expect(await inspectRedis(address())).toMatchObject({ kind: 'usable' });
  });

  it('of the previous release can be replaced as docs/how-to/upgrade.md explains', async () => {
    // These are the keys that a release with storage form 5 leaves after its evaluations have ended.
    await client.set('{assay}:format', 5);
    await client.hset('{assay}:fq:results', '', 100);
    await client.hset('{assay}:charges', 'e1', 'a queue key');
    await client.zadd('{assay}:charged', Date.now() + 60_000, 'e1');
    expect(await inspectRedis(address())).toMatchObject(refused(5));
    const page = readFileSync(join(import.meta.dirname, '../../../docs/how-to/upgrade.md'), 'utf8');
    const [, command = ''] = /```sh\n(redis-cli .*\bunlink)\n```/.exec(page) ?? [];
    execFileSync('sh', ['-c', command.replaceAll('redis-cli', `redis-cli -u ${redis.url}`)]);
    expect(await client.keys('*')).toEqual([]);
    expect(await inspectRedis(address())).toMatchObject({ kind: 'usable' });
    const queue = new RedisQueue(address());
    expect(await queue.jobs.submit(recordOf('e1'), [[item('{}')]])).toBe('accepted');
    expect(await queue.jobs.depth()).toMatchObject({ jobs: 1, resultBytes: 0 });
    await queue.close();
  });

  it('is written again by processes that submit or perform jobs after Redis lost it', async () => {
    const queue = new RedisQueue(address());
    expect(await queue.jobs.submit(recordOf('e1'), [[item('{}')]])).toBe('accepted');
    expect(await client.get('{assay}:format')).toBe(String(REDIS_FORM));
    await redis.flush();
    await queue.seats.join(1);
    expect(await client.get('{assay}:format')).toBe(String(REDIS_FORM));
    await queue.close();
  });
});
