import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { checkOptions } from '#documents';
import { DEFAULT_QUEUE_LIMITS, EmbeddedQueue } from '#jobs';
import { DEFAULT_FLOW_LIMITS } from '#runner/flow';
import type { QueueLimits } from '#jobs';
import type { Flow, FlowLimits } from '#runner/flow';
import { logOnly } from '#telemetry';
import { studyEngine } from '../testing/fake-engine.ts';
import { Studies } from './studies.ts';
import type { StudyClient } from './studies.ts';
import type { StudyState } from './study-life.ts';
import type { StudyOrder } from './study-order.ts';

const read = checkOptions({});
if (!read.ok) throw new Error(read.status.message);
const options = read.value;
const MACHINE = { node: 'v1', cpu: 'none' };
const DAY_MS = 3_600_000;
const NOON = Date.parse('2027-01-31T12:00:00Z');
const everyone = (): boolean => true;

const flow = (name: string, limits: Partial<FlowLimits> = {}): Flow => ({
  level: 'normal',
  name,
  division: '',
  weight: 1,
  limits: { ...DEFAULT_FLOW_LIMITS, ...limits },
});
const client = (name: string, more: Partial<StudyClient> = {}): StudyClient => ({
  owner: name,
  flow: flow(name),
  span: undefined,
  dayMs: DAY_MS,
  ...more,
});
const order = (more: Partial<StudyOrder> = {}): StudyOrder => ({
  definitions: [{ source: 'definitions[0]', slice: { bytes: Buffer.from('{"rules":1}'), notation: 'json' } }],
  objects: [],
  options,
  budgetMs: 60_000,
  seed: 1,
  base: undefined,
  isTimed: false,
  rule: undefined,
  ...more,
});

const queues: EmbeddedQueue[] = [];
afterEach(() => Promise.all(queues.splice(0).map((queue) => queue.close())));

interface Service {
  readonly studies: Studies;
  readonly engine: ReturnType<typeof studyEngine>;
  readonly queue: EmbeddedQueue;
  /** Ids of the studies that ended, with the kind of their end. */
  readonly ended: string[];
  now: number;
}

interface ServiceSettings {
  readonly threads?: number;
  readonly journal?: string;
  readonly limits?: Partial<QueueLimits>;
}

/** Creates a service for studies. The cells of its engine end only when the test ends them. */
async function serve({ threads = 2, journal = ':memory:', limits = {} }: ServiceSettings = {}): Promise<Service> {
  const engine = studyEngine(threads);
  const ended: Service['ended'] = [];
  const clock = { now: NOON };
  const given = { ...DEFAULT_QUEUE_LIMITS, heartbeatMs: 50, ...limits };
  const queue = new EmbeddedQueue(journal, given, { now: () => clock.now });
  queues.push(queue);
  const studies = new Studies({
    queue,
    engine: engine.engine,
    performs: true,
    limits: given,
    telemetry: logOnly(),
    node: 'here',
    machine: MACHINE,
    now: () => clock.now,
  });
  studies.onEnded(({ id, end }) => ended.push(`${id} ${end}`));
  studies.start();
  return Object.assign(clock, { studies, engine, queue, ended });
}

async function accepted(studies: Studies, who = client('one'), what = order()): Promise<StudyState> {
  const outcome = await studies.submit(what, who);
  if (outcome.kind !== 'answered') throw new Error(outcome.status.message);
  return outcome.answer;
}
async function refusal(
  studies: Studies,
  who = client('one'),
  what = order(),
): Promise<{ code: number; message: string; seconds: unknown }> {
  const outcome = await studies.submit(what, who);
  if (outcome.kind === 'answered') throw new Error('it was accepted');
  return { code: outcome.status.code, message: outcome.status.message, seconds: outcome.status.details?.retryAfterSeconds };
}
const phaseOf = async (studies: Studies, { record }: StudyState): Promise<string | undefined> =>
  (await studies.find(record.id, everyone))?.phase;
/** Waits until a study has the given phase, and returns its state. */
async function reached(studies: Studies, study: StudyState, phase: string): Promise<StudyState> {
  for (let i = 0; i < 2000; i++) {
    const state = await studies.find(study.record.id, everyone);
    if (state?.phase === phase) return state;
    await setTimeout(5);
  }
  throw new Error(`it is ${await phaseOf(studies, study)}, not ${phase}`);
}

describe('studies', () => {
  it('run one at a time for each flow, at the level low, in the order of their requests', async () => {
    const { studies, engine, ended } = await serve({ threads: 5 });
    const [first, second, other] = [await accepted(studies), await accepted(studies), await accepted(studies, client('two'))];
    await Promise.all([reached(studies, first, 'running'), reached(studies, other, 'running'), engine.cellBegun()]);
    expect(await phaseOf(studies, second)).toBe('waiting');
    expect(engine.flows).toEqual(new Set(['low/one', 'low/two']));
    await engine.endCell();
    const { progress, threadMs } = await reached(studies, first, 'complete');
    expect(progress).toMatchObject({ phase: 'costs', known: 1, rules: 1 });
    expect(threadMs).toBeGreaterThan(0);
    expect(await studies.report(first.record.id)).toMatchObject({ ...MACHINE, isPartial: false, rules: [{ worst: { cost: 7 } }] });
    await reached(studies, second, 'running');
    await studies.remove(other.record.id);
    expect(ended).toEqual([`${first.record.id} complete`, `${other.record.id} cancelled`]);
    expect([studies.running, await studies.unfinished()]).toEqual([1, 1]);
  });

  it('of different flows run at the same time only if one thread stays free for other work', async () => {
    const { studies } = await serve({ threads: 2 });
    const [first, other] = [await accepted(studies), await accepted(studies, client('two'))];
    await reached(studies, first, 'running');
    expect(await phaseOf(studies, other)).toBe('waiting');
    await studies.remove(first.record.id);
    await reached(studies, other, 'running');
  });

  it('end early if they exceed their thread time, and only some run at the same time', async () => {
    const { studies, engine } = await serve({ threads: 1 });
    const study = await accepted(studies, client('one'), order({ budgetMs: 1_800_000 }));
    for (let i = 0; i < 3; i++) await engine.endCell(1, true);
    await engine.cellBegun();
    expect(await phaseOf(studies, study)).toBe('running');
    // Reading definitions may exceed the budget of thread time, but only within a limit.
    const short = await accepted(studies, client('one'), order({ budgetMs: 1000 }));
    await studies.remove(study.record.id);
    await reached(studies, short, 'running');
    await engine.endCell(61_001, true);
    expect(await reached(studies, short, 'complete')).toMatchObject({ threadMs: 61_001 });
    expect(await studies.report(short.record.id)).toMatchObject({ isPartial: true });
    const wide = await serve({ threads: 8 });
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((name) => accepted(wide.studies, client(name))));
    await expect.poll(() => wide.studies.running).toBe(3);
    expect(await Promise.all(all.map((one) => phaseOf(wide.studies, one)))).toEqual(['running', 'running', 'running', 'waiting']);
  });

  it('are limited in number and bytes while they wait, for each flow and in total', async () => {
    const { studies } = await serve({ limits: { waitingBytes: 500 } });
    await reached(studies, await accepted(studies), 'running');
    for (let i = 0; i < 4; i++) await accepted(studies);
    expect(await refusal(studies)).toMatchObject({ code: 429, message: expect.stringContaining('of this client are waiting') as string });
    await accepted(studies, client('two'));
    const small = client('small', { flow: flow('small', { bytes: 5 }) });
    expect(await refusal(studies, small)).toMatchObject({
      code: 429,
      message: expect.stringContaining('bytes of studies of this') as string,
    });
    const large = order({ objects: [{ bytes: Buffer.alloc(600), notation: 'json' }] });
    expect(await refusal(studies, client('three'), large)).toMatchObject({
      message: expect.stringContaining('bytes of studies are') as string,
    });
    const other = await serve();
    const codes: number[] = [];
    await reached(other.studies, await accepted(other.studies, client('flow')), 'running');
    for (let i = 0; i < 40; i++) codes.push((await other.studies.submit(order(), client(`flow-${i}`))).kind === 'answered' ? 202 : 429);
    expect(codes.indexOf(429)).toBe(32);
  });

  it('are refused in a thousand turns of the event loop if a thousand orders come at once', async () => {
    const { studies } = await serve();
    let turns = 0;
    const count = (): void => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const outcomes = await Promise.all(Array.from({ length: 1000 }, () => studies.submit(order(), client('a'))));
    clearImmediate(counting);
    expect(outcomes.filter(({ kind }) => kind !== 'answered').length).toBeGreaterThan(900);
    expect(turns).toBeGreaterThan(900);
  });

  it('have a daily budget of thread time, which counts unfinished studies with their full time', async () => {
    const service = await serve();
    const { studies, engine } = service;
    const who = client('one', { dayMs: 100_000 });
    const first = await accepted(studies, who);
    const refused = await refusal(studies, who);
    expect(refused).toMatchObject({ code: 429, seconds: 12 * 3600 });
    expect(refused.message).toContain('40 of 100 s of thread time are left');
    await engine.endCell(70_000);
    await reached(studies, first, 'complete');
    expect((await refusal(studies, who)).message).toContain('30 of 100 s');
    await accepted(studies, client('two', { dayMs: 100_000 }));
    service.now = Date.parse('2027-02-01T00:00:01Z');
    await accepted(studies, who);
  });

  it('stop within 300 ms with their partial results, and are deleted when the client deletes them again', async () => {
    const { studies, engine } = await serve();
    const [running, waiting] = [await accepted(studies), await accepted(studies)];
    await engine.cellBegun();
    const begun = performance.now();
    await Promise.all([studies.remove(waiting.record.id), studies.remove(running.record.id)]);
    expect(performance.now() - begun).toBeLessThan(300);
    expect(await Promise.all([running, waiting].map((study) => phaseOf(studies, study)))).toEqual(['cancelled', 'cancelled']);
    expect(await studies.report(running.record.id)).toMatchObject({ isPartial: true, definitions: [{ rules: 1 }] });
    expect(await studies.report(waiting.record.id)).toMatchObject({ isPartial: true, definitions: [] });
    await studies.remove(running.record.id);
    expect([await phaseOf(studies, running), await studies.report(running.record.id)]).toEqual([undefined, undefined]);
  });

  it('begin again after a restart, and keep reports of completed studies', async () => {
    const journal = join(mkdtempSync(join(tmpdir(), 'assay-studies-')), 'journal.sqlite');
    const before = await serve({ journal });
    const complete = await accepted(before.studies);
    await before.engine.endCell();
    await reached(before.studies, complete, 'complete');
    const [running, waiting] = [await accepted(before.studies), await accepted(before.studies)];
    await reached(before.studies, running, 'running');
    await before.engine.cellBegun();
    await before.studies.stop();
    expect(before.engine.running).toBe(0);
    await queues.splice(0)[0]?.close();
    const after = await serve({ journal });
    expect(await phaseOf(after.studies, complete)).toBe('complete');
    expect(await after.studies.report(complete.record.id)).toMatchObject({ rules: [{ worst: { cost: 7 } }] });
    expect(await reached(after.studies, running, 'running')).toMatchObject({ restarts: 1 });
    expect(await after.studies.find(waiting.record.id, everyone)).toMatchObject({ phase: 'waiting', restarts: 0 });
    await after.engine.endCell();
    expect(await reached(after.studies, running, 'complete')).toMatchObject({ restarts: 1 });
    await reached(after.studies, waiting, 'running');
  });

  it('report changes and partial results', async () => {
    const { studies, engine } = await serve();
    const study = await accepted(studies, client('one'), order({ definitions: [{ source: 'definitions[0]', slice: rules(2) }] }));
    await engine.cellBegun();
    const changed = studies.changed(study.record.id, AbortSignal.timeout(10_000));
    await engine.endCell();
    await changed;
    expect(await studies.find(study.record.id, everyone)).toMatchObject({
      progress: { known: 1, rules: 2 },
      latest: { worst: { cost: 7 } },
    });
    const report = await studies.report(study.record.id);
    expect(report?.rules.map(({ worst }) => worst?.cost)).toEqual([7, undefined]);
    expect(report?.isPartial).toBe(true);
  });

  it('are readable only by their owner, newest first', async () => {
    const service = await serve();
    const { studies } = service;
    const first = await accepted(studies);
    service.now += 1;
    const second = await accepted(studies);
    const theirs = (owner: string | undefined): boolean => owner === 'two';
    expect(await studies.find(first.record.id, theirs)).toBeUndefined();
    expect(await studies.list(10, theirs)).toEqual([]);
    expect((await studies.list(10, everyone)).map(({ record }) => record.id)).toEqual([second.record.id, first.record.id]);
    expect(await studies.list(1, everyone)).toHaveLength(1);
  });

  it('are deleted after their retention time, or if the reports of their flow are too large', async () => {
    const service = await serve({ limits: { retentionMs: 10_000 } });
    const { studies } = service;
    const first = await accepted(studies);
    await studies.remove(first.record.id);
    service.now += 9000;
    const second = await accepted(studies);
    await studies.remove(second.record.id);
    expect(await studies.list(10, everyone)).toHaveLength(2);
    service.now += 5000;
    await expect.poll(async () => (await studies.list(10, everyone)).map(({ record }) => record.id)).toEqual([second.record.id]);
    const narrow = client('narrow', { flow: flow('narrow', { resultBytes: 5 }) });
    for (let i = 0; i < 3; i++) {
      service.now += 1;
      const study = await accepted(studies, narrow);
      await service.engine.cellBegun();
      await studies.remove(study.record.id);
    }
    await accepted(studies, client('last'));
    const kept = (await studies.list(10, everyone)).map(({ record }) => record.owner);
    expect(kept).toEqual(['last', 'narrow', 'one']);
  });

  it('fail if the service ended several times while they ran', async () => {
    const journal = join(mkdtempSync(join(tmpdir(), 'assay-studies-')), 'journal.sqlite');
    let service = await serve({ journal });
    const study = await accepted(service.studies);
    for (let i = 0; i < 5; i++) {
      await service.engine.cellBegun();
      await service.studies.stop();
      await queues.splice(0)[0]?.close();
      service = await serve({ journal });
    }
    expect(await reached(service.studies, study, 'failed')).toMatchObject({ status: { code: 500 } });
  });
});

const rules = (count: number) => ({ bytes: Buffer.from(JSON.stringify({ rules: count })), notation: 'json' }) as const;
