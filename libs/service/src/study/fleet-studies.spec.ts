import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { redisInstalled, startRedis } from '../../../jobs/test/private-redis.ts';
import type { PrivateRedis } from '../../../jobs/test/private-redis.ts';
import { checkOptions } from '#documents';
import { DEFAULT_QUEUE_LIMITS } from '#jobs';
import { DEFAULT_FLOW_LIMITS } from '#runner/flow';
import { RedisQueue, redisAddressOf } from '#jobs/redis';
import { FleetSeats, OfferServer } from '#runner';
import type { OfferedTask } from '#runner';
import { logOnly, serviceTelemetry } from '#telemetry';
import { studyEngine } from '../testing/fake-engine.ts';
import { Studies } from './studies.ts';
import type { StudyClient } from './studies.ts';
import type { StudyState } from './study-life.ts';
import type { StudyOrder } from './study-order.ts';

const read = checkOptions({});
if (!read.ok) throw new Error(read.status.message);
const options = read.value;
const everyone = (): boolean => true;
const client = (name: string, dayMs = 3_600_000): StudyClient => ({
  owner: name,
  flow: { level: 'normal', name, division: '', weight: 1, limits: DEFAULT_FLOW_LIMITS },
  span: undefined,
  dayMs,
});
const order = (rules: number): StudyOrder => ({
  definitions: [{ source: 'definitions[0]', slice: { bytes: Buffer.from(JSON.stringify({ rules })), notation: 'json' } }],
  objects: [],
  options,
  budgetMs: 60_000,
  seed: 1,
  base: undefined,
  isTimed: false,
  rule: undefined,
});

interface Node {
  readonly studies: Studies;
  readonly engine: ReturnType<typeof studyEngine>;
  readonly queue: RedisQueue;
}

describe.skipIf(!redisInstalled)('studies of a fleet', () => {
  let redis: PrivateRedis;
  let namespaces = 0;
  const nodes: Node[] = [];
  const servers: OfferServer[] = [];
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());
  afterEach(async () => {
    const ended = Promise.all(servers.splice(0).map((server) => server.end()));
    await Promise.all(
      nodes.splice(0).map(async ({ studies, queue }) => {
        await studies.stop();
        await queue.close();
      }),
    );
    await ended;
  });

  /** Starts a process of the fleet. The cells of studies that its engine performs end only when the test ends them. */
  async function start(performs = true, telemetry = logOnly()): Promise<Node> {
    const limits = { ...DEFAULT_QUEUE_LIMITS, leaseMs: 1000, heartbeatMs: 200 };
    const queue = new RedisQueue(redisAddressOf(redis.url), { namespace: `studies-${namespaces}`, limits });
    const engine = studyEngine(2);
    const offers = queue.offers();
    const studies = new Studies({
      queue,
      node: offers.node,
      seats: new FleetSeats(offers, 'cells', telemetry),
      performs,
      engine: engine.engine,
      limits,
      telemetry,
      machine: { node: 'v1', cpu: 'none' },
    });
    if (performs) {
      await queue.seats.join(2);
      // Each node performs one cell of other nodes at a time.
      const perform = async ({ work }: OfferedTask, signal: AbortSignal) => ({
        ...(await engine.engine.run(work, { signal, background: true, flow: 'normal/a' })),
        node: offers.node,
      });
      servers.push(new OfferServer(offers, { seats: () => 1, perform, failed: () => undefined }));
    }
    studies.start();
    const node = { studies, engine, queue };
    nodes.push(node);
    return node;
  }
  async function accepted({ studies }: Node, who: StudyClient, rules = 1): Promise<string> {
    const outcome = await studies.submit(order(rules), who);
    if (outcome.kind !== 'answered') throw new Error(outcome.status.message);
    return outcome.answer.record.id;
  }
  async function reached({ studies }: Node, id: string, phase: string): Promise<StudyState> {
    for (let i = 0; i < 2000; i++) {
      const state = await studies.find(id, everyone);
      if (state?.phase === phase) return state;
      await setTimeout(20);
    }
    throw new Error(`it is ${(await studies.find(id, everyone))?.phase}, not ${phase}`);
  }
  /** Ends each cell of a study of the given processes as soon as the cell runs, until the returned function is called. */
  function endCells(of: readonly Node[]): () => Promise<void> {
    const stop = new AbortController();
    const ending = (async () => {
      while (!stop.signal.aborted) {
        for (const { engine } of of) if (engine.running > 0) await engine.endCell();
        await setTimeout(5);
      }
    })();
    return async () => {
      stop.abort();
      await ending;
    };
  }

  it('can be ordered at one process, are performed by several, and can be read at each', async () => {
    namespaces++;
    const [front, one, other] = [await start(false), await start(), await start()];
    const id = await accepted(front, client('a'), 12);
    await reached(front, id, 'running');
    // Both processes hold a cell before one ends.
    await Promise.all([one.engine.cellBegun(), other.engine.cellBegun()]);
    const stop = endCells([one, other]);
    await reached(front, id, 'complete');
    await stop();
    const report = await front.studies.report(id);
    expect(report?.rules).toHaveLength(12);
    expect(report?.rules.every(({ worst }) => worst?.cost === 7)).toBe(true);
    expect(report?.nodes?.reduce((sum, { cells }) => sum + cells, 0)).toBeGreaterThanOrEqual(13);
    expect((await front.studies.list(10, everyone)).map(({ record }) => record.id)).toEqual([id]);
    expect(await front.studies.find(id, (owner) => owner === 'b')).toBeUndefined();
    await front.studies.remove(id);
    expect(await other.studies.find(id, everyone)).toBeUndefined();
  });

  it('run one at a time for each flow, counted over all processes', async () => {
    namespaces++;
    const [one, other] = [await start(), await start()];
    const [first, second] = [await accepted(one, client('a')), await accepted(other, client('a'))];
    const third = await accepted(other, client('b'));
    await Promise.all([reached(one, third, 'running'), Promise.any([reached(one, first, 'running'), reached(one, second, 'running')])]);
    const phases = await Promise.all([first, second].map(async (id) => (await one.studies.find(id, everyone))?.phase));
    expect(new Set(phases)).toEqual(new Set(['running', 'waiting']));
    const stop = endCells([one, other]);
    for (const id of [first, second, third]) await reached(one, id, 'complete');
    await stop();
  });

  it('can be stopped at any process, while they run or wait', async () => {
    namespaces++;
    const [front, one] = [await start(false), await start()];
    const [first, second] = [await accepted(front, client('a')), await accepted(front, client('a'))];
    await one.engine.cellBegun();
    await front.studies.remove(second);
    expect((await front.studies.find(second, everyone))?.phase).toBe('cancelled');
    await front.studies.remove(first);
    expect((await front.studies.find(first, everyone))?.phase).toBe('cancelled');
    await expect.poll(() => one.engine.running).toBe(0);
    await expect.poll(() => front.studies.report(first)).toMatchObject({ isPartial: true, definitions: [{ rules: 1 }] });
    const third = await accepted(front, client('a'));
    const stop = endCells([one]);
    await reached(front, third, 'complete');
    await stop();
  });

  it('begin again at another process if their process ended', async () => {
    namespaces++;
    const dying = await start();
    const id = await accepted(dying, client('a'));
    await dying.engine.cellBegun();
    // The connections end at once, as with a killed process.
    await dying.queue.close();
    nodes.splice(0);
    const info = vi.fn<(fields: object, message: string) => void>();
    const telemetry = await serviceTelemetry({ ...logOnly().log, info });
    const next = await start(true, telemetry);
    const stop = endCells([next]);
    const state = await reached(next, id, 'complete');
    await stop();
    expect(state.restarts).toBe(1);
    expect(info).toHaveBeenCalledWith(
      { study: id, parts: 1, done: 0, startsWithoutResult: 2 },
      'a study that another process left unfinished begins again here',
    );
    expect(await telemetry.scrape()).toContain('assay_taken_over_work_total{kind="study"} 1');
    void dying.studies.stop().catch(() => undefined);
  });

  it('are performed even if BullMQ lost their job', async () => {
    namespaces++;
    const one = await start();
    const first = await accepted(one, client('a'));
    await one.engine.cellBegun();
    const { redis: server, keys } = one.queue.store;
    // A study of another flow waits for a thread, and BullMQ loses its job.
    const second = await accepted(one, client('b'));
    await expect.poll(() => server.exists(`${keys.bullmq}:jobs-study:study/${second}`)).toBe(1);
    await server.del(...(await server.keys(`${keys.bullmq}:jobs-study:*${second}*`)));
    await server.lrem(keys.bullJobs('study', 'wait'), 0, `study/${second}`);
    const stop = endCells([one]);
    for (const id of [first, second]) await reached(one, id, 'complete');
    await stop();
  });

  it('leave only keys with an expiry if Redis lost them while they ran', async () => {
    namespaces++;
    const one = await start();
    const id = await accepted(one, client('a'));
    await one.engine.cellBegun();
    const { redis: server, keys } = one.queue.store;
    await server.del(keys.job(`study/${id}`));
    const stop = endCells([one]);
    await expect.poll(() => one.engine.running).toBe(0);
    await expect.poll(() => one.studies.running).toBe(0);
    await stop();
    expect(await one.studies.find(id, everyone)).toBeUndefined();
    for (const key of await server.keys(`*${id}*`)) expect(await server.ttl(key), key).toBeGreaterThan(0);
  });

  it('store their report later if Redis rejects writes when they end', async () => {
    namespaces++;
    const one = await start();
    const id = await accepted(one, client('a'));
    await one.engine.cellBegun();
    const { redis: server } = one.queue.store;
    await server.config('SET', 'maxmemory', '1');
    await one.engine.endCell();
    // The pause is shorter than a lease. Otherwise, the study begins again.
    await setTimeout(400);
    expect((await one.studies.find(id, everyone))?.phase).toBe('running');
    await server.config('SET', 'maxmemory', '0');
    expect(await reached(one, id, 'complete')).toMatchObject({ restarts: 0 });
  });

  it('are limited in number, even if many requests arrive at once', async () => {
    namespaces++;
    const front = await start(false);
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => front.studies.submit(order(1), client('crowd'))));
    const accepted = outcomes.flatMap((outcome) => (outcome.kind === 'answered' ? outcome.answer.record.id : []));
    expect(accepted).toHaveLength(4);
    for (const id of accepted) await front.studies.remove(id);
    await setTimeout(300);
    expect(await front.studies.submit(order(1), client('crowd'))).toMatchObject({ kind: 'answered' });
  });

  it('are limited by the daily thread time, counted over all processes', async () => {
    namespaces++;
    const [one, other] = [await start(), await start()];
    await accepted(one, client('a', 100_000));
    const refused = await other.studies.submit(order(1), client('a', 100_000));
    expect(refused).toMatchObject({ kind: 'refused', status: { code: 429 } });
  });
});
