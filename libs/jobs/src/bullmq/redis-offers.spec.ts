import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { emptyTally, steadyNow } from '#documents';
import type { ChunkResult, DocumentSlice } from '#documents';
import { latestServer } from '#kube';
import { FleetSeats, OfferServer } from '#runner';
import type { OfferAnswer, OfferedTask, Work } from '#runner';
import { DEFAULT_FLOW_LIMITS, queueKeyOf } from '#runner/flow';
import { logOnly } from '#telemetry';
import { recordOf } from '../../test/evaluations.ts';
import { redisInstalled, startRedis } from '../../test/private-redis.ts';
import type { PrivateRedis } from '../../test/private-redis.ts';
import { redisAddressOf } from './redis-address.ts';
import type { RedisOffers } from './redis-offers.ts';
import { RedisQueue } from './redis-queue.ts';

const telemetry = logOnly();
const flow = { level: 'normal', name: 'f', division: '', weight: 1, limits: DEFAULT_FLOW_LIMITS } as const;
const item = (text: string): DocumentSlice => ({ bytes: Buffer.from(text), notation: 'json' });
const { settings } = recordOf('e');
const workOf = (...texts: readonly string[]): Extract<Work, { kind: 'evaluate' }> => ({
  kind: 'evaluate',
  firstItem: 7,
  items: texts.map(item),
  settings,
});
const resultOf = (verdicts: readonly string[]): ChunkResult => ({
  verdicts,
  tally: { ...emptyTally(), items: verdicts.length },
  celCharge: 3,
  spans: [],
});
const done = (verdicts: readonly string[]): OfferAnswer => ({ kind: 'done', result: resultOf(verdicts), spentMs: 5, node: 'other' });
const place = () => ({ queueKey: queueKeyOf({ id: 'e', createdAt: steadyNow(), flow }), expectedMs: 9, holder: flow });

const echo = ({ work }: OfferedTask): OfferAnswer =>
  done(work.kind === 'evaluate' ? work.items.map(({ bytes }) => JSON.stringify(Buffer.from(bytes).toString())) : []);

const untilStopped = (_: OfferedTask, signal: AbortSignal): Promise<OfferAnswer> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'cancelled', spentMs: 1 })));

describe.skipIf(!redisInstalled)('tasks that processes offer to each other over Redis', () => {
  let redis: PrivateRedis;
  let namespaces = 0;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  /** Starts a process of the current namespace, with `seats` threads for tasks of other processes. */
  async function start(seats = 0): Promise<{ readonly queue: RedisQueue; readonly offers: RedisOffers }> {
    const queue = new RedisQueue(redisAddressOf(redis.url), { namespace: `offers-${namespaces}` });
    ends.push(() => queue.close());
    if (seats > 0) {
      const leave = await queue.seats.join(seats);
      // A test may have ended the process before.
      ends.push(() => leave().catch(() => undefined));
    }
    return { queue, offers: queue.offers() };
  }
  function serve(offers: RedisOffers, perform: (task: OfferedTask, signal: AbortSignal) => Promise<OfferAnswer>, seats = 1): OfferServer {
    const server = new OfferServer(offers, { seats: () => seats, perform, failed: () => undefined });
    ends.push(() => server.end());
    return server;
  }
  /** Starts a process that offers runs, and another with a free thread that performs them by `perform`. */
  async function pair(perform: (task: OfferedTask, signal: AbortSignal) => Promise<OfferAnswer>) {
    namespaces++;
    const other = await start(1);
    const server = serve(other.offers, perform);
    const { offers, queue } = await start();
    const seats = new FleetSeats(offers, 'runs', telemetry);
    ends.push(() => Promise.resolve(seats.close()));
    await seats.refresh();
    return { seats, server, queue, other };
  }
  /** Returns the keys that offers have left in Redis, without signs of life and texts. */
  async function keysLeft(): Promise<readonly string[]> {
    const connection = redis.connect();
    const keys = await connection.keys(`{offers-${namespaces}}:offers*`);
    connection.disconnect();
    return keys.filter((key) => !key.includes(':origin:'));
  }

  it('are performed by a process with free seats, together with their texts, and leave no keys in Redis', async () => {
    const taken: OfferedTask[] = [];
    const { seats } = await pair((task) => {
      taken.push(task);
      return Promise.resolve(echo(task));
    });
    expect([seats.window, seats.hasRoom]).toEqual([8, true]);
    const text = { ...latestServer(), digest: 'd', slice: item('{}') };
    const answers = [seats.run(workOf('{"a":1}', '[]'), place(), { definitions: [text] }), seats.run(workOf('{}'), place())];
    expect(await Promise.all(answers)).toMatchObject([done(['"{\\"a\\":1}"', '"[]"']), done(['"{}"'])]);
    const [withText] = taken.filter(({ definitions }) => definitions.length > 0);
    expect(withText).toMatchObject({ kind: 'runs', expectedMs: 9, work: { kind: 'evaluate', firstItem: 7, settings } });
    expect(withText?.definitions.map(({ digest }) => digest)).toEqual(['d']);
    expect(await keysLeft()).toEqual([]);
  });

  it('return to the offering process if no process takes them in time, and then offers pause', async () => {
    const { seats, server } = await pair(() => Promise.reject(new Error('nothing comes here')));
    await server.end();
    const begun = performance.now();
    expect(await seats.run(workOf('{}'), place())).toEqual({ kind: 'cancelled', spentMs: 0 });
    expect(performance.now() - begun).toBeGreaterThan(45);
    expect(seats.hasRoom).toBe(false);
    await expect.poll(() => keysLeft()).toEqual([]);
    await expect.poll(() => seats.hasRoom).toBe(true);
  });

  it('return to the offering process if the process that took them dies', async () => {
    const { seats, other } = await pair(untilStopped);
    const answer = seats.run(workOf('{}'), place());
    await expect.poll(() => keysLeft()).toHaveLength(1);
    await other.queue.close();
    const begun = performance.now();
    expect(await answer).toMatchObject({ kind: 'cancelled' });
    expect(performance.now() - begun).toBeLessThan(7000);
  });

  it('return to the offering process if Redis does not respond', async () => {
    const { seats, server } = await pair(untilStopped);
    const answer = seats.run(workOf('{}'), place());
    await expect.poll(() => server.taken).toBe(1);
    redis.signal('SIGSTOP');
    try {
      expect(await answer).toMatchObject({ kind: 'cancelled' });
    } finally {
      redis.signal('SIGCONT');
    }
  });

  it('return without an answer if the performing process stops, and are stopped if their sender no longer waits', async () => {
    const stopped: string[] = [];
    const { seats, server } = await pair(
      ({ id }, signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            stopped.push(id);
            resolve({ kind: 'cancelled', spentMs: 1 });
          }),
        ),
    );
    const client = new AbortController();
    const answer = seats.run(workOf('{}'), place(), { signal: client.signal });
    await expect.poll(() => server.taken).toBe(1);
    client.abort();
    expect(await answer).toMatchObject({ kind: 'cancelled' });
    await expect.poll(() => stopped).toHaveLength(1);
    const again = seats.run(workOf('{}'), place());
    await expect.poll(() => server.taken).toBe(1);
    await server.end();
    expect(await again).toMatchObject({ kind: 'cancelled' });
    expect(stopped).toHaveLength(2);
    await expect.poll(() => keysLeft()).toEqual([]);
  });

  it('return the results of the items that were evaluated before the deadline', async () => {
    const { seats, server } = await pair(
      (_, signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            const result = { ...resultOf(['1', '2']), tally: { ...emptyTally(), items: 2, accepted: 1, cancelled: 1 } };
            resolve({ kind: 'done', result, spentMs: 1 });
          }),
        ),
    );
    const deadline = new AbortController();
    const answer = seats.run(workOf('{}', '{}'), place(), { signal: deadline.signal });
    await expect.poll(() => server.taken).toBe(1);
    deadline.abort();
    expect(await answer).toMatchObject({ kind: 'done', result: { verdicts: ['1', '2'], tally: { accepted: 1, cancelled: 1 } } });
  });

  it('are stopped if the process that offered them dies', async () => {
    const { seats, server, queue } = await pair(untilStopped);
    void seats.run(workOf('{}'), place());
    await expect.poll(() => server.taken).toBe(1);
    await queue.close();
    await expect.poll(() => server.taken).toBe(0);
  });

  it('are offered again after foreign software damaged the list of offers', async () => {
    const { seats, queue } = await pair((task) => Promise.resolve(echo(task)));
    await queue.store.redis.set(`{offers-${namespaces}}:offers:runs:${queue.store.process}`, 'damaged');
    expect(await seats.run(workOf('{}'), place())).toMatchObject({ kind: 'cancelled' });
    await expect.poll(() => seats.hasRoom).toBe(true);
    expect(await seats.run(workOf('{}'), place())).toMatchObject({ kind: 'done' });
  });

  it('are taken by only one of several processes', async () => {
    namespaces++;
    const performed: string[] = [];
    const perform = (task: OfferedTask): Promise<OfferAnswer> => Promise.resolve(performed.push(task.id)).then(() => echo(task));
    for (const { offers } of [await start(1), await start(1), await start(1)]) serve(offers, perform);
    const { offers } = await start();
    const seats = new FleetSeats(offers, 'runs', telemetry);
    ends.push(() => Promise.resolve(seats.close()));
    await seats.refresh();
    const texts = Array.from({ length: 200 }, (_, i) => String(i));
    const answers: OfferAnswer[] = [];
    for (let i = 0; i < texts.length; i += 6)
      answers.push(...(await Promise.all(texts.slice(i, i + 6).map((text) => seats.run(workOf(text), place())))));
    const there = answers.filter(({ kind }) => kind === 'done');
    expect(new Set(performed).size).toBe(performed.length);
    expect(there.length).toBeGreaterThan(0);
    for (const [i, answer] of answers.entries()) if (answer.kind === 'done') expect(answer).toMatchObject(done([`"${i}"`]));
  });
});
