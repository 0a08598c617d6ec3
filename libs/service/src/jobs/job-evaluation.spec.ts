import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkOptions, definitionText, emptyTally, steadyNow } from '#documents';
import type { ChunkSettings, DocumentSlice } from '#documents';
import { latestServer } from '#kube';
import { DEFAULT_QUEUE_LIMITS, EmbeddedQueue, JobRunner } from '#jobs';
import type { EvaluationRecord } from '#jobs';
import { Dispatcher, EngineHost, Refusals } from '#runner';
import { DEFAULT_FLOW_LIMITS, PriceBook } from '#runner/flow';
import { logOnly, serviceTelemetry } from '#telemetry';
import type { Telemetry } from '#telemetry';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { DEEP_EQUALITY, equalLists, LISTS } from '../../../../testing/deep-equality.ts';
import { JobEvaluation, UnstoredResults } from './job-evaluation.ts';

const slice = (value: unknown): DocumentSlice => ({ bytes: Buffer.from(JSON.stringify(value)), notation: 'json' });
const schema = {
  type: 'object',
  'x-kubernetes-validations': [{ rule: `!has(self.lists) || ${DEEP_EQUALITY}` }],
  properties: { lists: LISTS },
};
const definition = definitionText(slice(customDefinition({ kind: 'Probe', scope: 'Cluster', schema })), latestServer());
const options = checkOptions({ costLimits: { perCall: 'unlimited', perObject: 'unlimited', perEvaluation: 100 } });
if (!options.ok) throw new Error('options');
const settings = {
  options: options.value,
  definitions: [{ digest: definition.digest, group: 'example.com', kind: 'Probe' }],
  refused: [],
  deadlineAt: Date.now() + 60_000,
  traceparent: undefined,
};
const probe = (rest: object = {}) => slice({ apiVersion: 'example.com/v1', kind: 'Probe', metadata: { name: 'a' }, ...rest });
const endless = probe({ lists: equalLists(900) });
const silent = logOnly({ info: () => undefined, warn: () => undefined, error: () => undefined, fatal: () => undefined });

const flow = { level: 'normal', name: 'f', division: '', weight: 1, limits: DEFAULT_FLOW_LIMITS } as const;
const recordOf = (id: string, rest: Partial<ChunkSettings> = {}): EvaluationRecord => ({
  id,
  createdAt: steadyNow(),
  owner: undefined,
  flow,
  settings: { ...settings, deadlineAt: steadyNow() + 60_000, ...rest },
  definitions: [],
});
/** Error that a full storage throws. */
const FULL = Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });

describe('an asynchronous evaluation', () => {
  const host = new EngineHost({ threads: 1 });
  beforeAll(() => host.start());
  afterAll(() => host.stop());
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const end of ends.splice(0)) await end();
  });

  /** Returns a queue in memory, and a function that starts the runner of its jobs. */
  async function opened({ telemetry = silent, maxUnstored }: { telemetry?: Telemetry; maxUnstored?: number } = {}) {
    const queue = new EmbeddedQueue(':memory:', { ...DEFAULT_QUEUE_LIMITS });
    await queue.definitions.put(definition, { flow, leftMs: 60_000 });
    const prices = new PriceBook();
    const dispatcher = new Dispatcher({ engine: host, limits: DEFAULT_QUEUE_LIMITS, prices, refusals: new Refusals(telemetry), telemetry });
    const parts = { queue, dispatcher, prices, telemetry, node: 'here', unstored: new UnstoredResults(maxUnstored) };
    const start = (): JobRunner => {
      const runner = new JobRunner({
        kind: 'evaluation',
        queue,
        traceparentOf: ({ settings: { traceparent } }) => traceparent,
        telemetry,
        node: 'here',
        perform: (job, signal) => new JobEvaluation(parts, job, signal).perform(),
      });
      runner.start();
      ends.unshift(() => runner.stop());
      return runner;
    };
    ends.push(() => queue.close());
    const submit = async (record: EvaluationRecord, ...items: DocumentSlice[]): Promise<void> => {
      expect(
        await queue.jobs.submit(
          record,
          items.map((item) => [item]),
        ),
      ).toBe('accepted');
    };
    const phaseOf = async (id: string): Promise<string | undefined> => (await queue.jobs.progress(id))?.phase;
    const isOver = (id: string): Promise<void> => expect.poll(() => phaseOf(id)).toBe('complete');
    const verdicts = async (id: string, parts: number): Promise<unknown[]> => {
      await isOver(id);
      const results = await Promise.all(Array.from({ length: parts }, (_, part) => queue.jobs.result(id, part)));
      return results.flatMap((result) => result?.verdicts.map((verdict) => JSON.parse(verdict) as unknown));
    };
    return { queue, dispatcher, start, submit, verdicts };
  }

  it('is performed later if its storage does not answer at first', async () => {
    const { queue, start, submit, verdicts } = await opened();
    vi.spyOn(queue.jobs, 'begin').mockRejectedValueOnce(new Error('Connection is closed'));
    await submit(recordOf('e'), probe());
    start();
    expect(await verdicts('e', 1)).toMatchObject([{ outcome: 'accepted' }]);
  });

  it.each(['has begun in another process', 'was cancelled, although the message was lost'])('stops if it %s', async (how) => {
    const { queue, dispatcher, start, submit } = await opened();
    await submit(recordOf('e'), endless, probe());
    // This simulates a lost cancellation message.
    vi.spyOn(queue.jobs, 'onCancelled').mockReturnValue(() => undefined);
    start();
    await expect.poll(() => dispatcher.runs.levels.normal.running).toBe(1);
    if (how.startsWith('was')) await queue.jobs.cancel('e');
    else await queue.jobs.begin('e');
    await expect.poll(() => dispatcher.runs.levels.normal.running).toBe(0);
    expect(await queue.jobs.progress('e')).toMatchObject({ partsDone: 0 });
  });

  it.each([
    ['whose deadline passed', 'cancelled', -1, 0],
    ['whose deadline is to come, although the wall clock jumps past it,', 'accepted', 60_000, 3_600_000],
    ['whose deadline passed, although the wall clock was set back,', 'cancelled', -1, -3_600_000],
  ])('%s gets verdicts with the outcome %s', async (_, outcome, leftMs, jumpMs) => {
    const { start, submit, verdicts } = await opened();
    await submit(recordOf('e', { deadlineAt: steadyNow() + leftMs }), probe());
    const wallMs = Date.now() + jumpMs;
    const wall = vi.spyOn(Date, 'now').mockImplementation(() => wallMs);
    start();
    expect(await verdicts('e', 1)).toMatchObject([{ outcome }]);
    wall.mockRestore();
  });

  it('skips its first part after its process was lost eight times, and evaluates the other parts', async () => {
    const { queue, start, submit, verdicts } = await opened();
    await submit(recordOf('e'), probe(), probe());
    for (let lost = 0; lost < 8; lost++) await queue.jobs.begin('e');
    start();
    expect(await verdicts('e', 2)).toMatchObject([
      { outcome: 'notEvaluated', status: { code: 500, reason: 'InternalError' } },
      { outcome: 'accepted' },
    ]);
  });

  it('is logged and counted as continued if another process left it unfinished', async () => {
    const info = vi.fn<(fields: object, message: string) => void>();
    const telemetry = await serviceTelemetry({ ...silent.log, info });
    const { queue, start, submit, verdicts } = await opened({ telemetry });
    for (const id of ['a', 'b']) await submit(recordOf(id), probe(), probe());
    await queue.jobs.begin('a');
    start();
    await verdicts('a', 2);
    await verdicts('b', 2);
    const message = 'an evaluation that another process left unfinished continues here';
    expect(info.mock.calls).toEqual([[{ evaluation: 'a', parts: 2, done: 0, startsWithoutResult: 2 }, message]]);
    expect(await telemetry.scrape()).toContain('assay_taken_over_work_total{kind="evaluation"} 1');
  });

  it('reports lost stored definitions with a 503, not as missing in the request', async () => {
    const { queue, start, submit, verdicts } = await opened();
    vi.spyOn(queue.definitions, 'get').mockResolvedValue(undefined);
    await submit(recordOf('e'), probe());
    start();
    expect(await verdicts('e', 1)).toMatchObject([{ outcome: 'notEvaluated', status: { code: 503, reason: 'ServiceUnavailable' } }]);
  });

  it('spends no more than its budget, including the costs before it was continued', async () => {
    const { queue, start, submit, verdicts } = await opened();
    await submit(recordOf('e'), probe(), probe({ lists: [] }), probe());
    const job = await queue.jobs.begin('e');
    if (!job) throw new Error('the job cannot begin');
    const result = { verdicts: ['{}'], tally: { ...emptyTally(), items: 1 }, celCharge: 99, spans: [] };
    await queue.jobs.store(job, { part: 0, bytes: 2, result });
    start();
    expect(await verdicts('e', 3)).toMatchObject([{}, { outcome: 'accepted' }, { outcome: 'notEvaluated', status: { code: 403 } }]);
  });

  it('without a budget evaluates several parts at the same time, and returns results in order', async () => {
    const { start, submit, verdicts } = await opened();
    const options = checkOptions({});
    if (!options.ok) throw new Error('options');
    const names = Array.from({ length: 40 }, (_, i) => `probe-${i}`);
    await submit(recordOf('e', { options: options.value }), ...names.map((name) => probe({ metadata: { name } })));
    start();
    expect((await verdicts('e', 40)).map((verdict) => (verdict as { index: number }).index)).toEqual(names.map((_, i) => i));
  });

  it.each([
    ['is stored later', undefined],
    ['is dropped, and its part is judged again', 0],
  ])('whose result a full storage rejects is completed: the result %s', async (_, maxUnstored) => {
    const { queue, start, submit, verdicts } = await opened({ ...(maxUnstored !== undefined && { maxUnstored }) });
    const store = vi.spyOn(queue.jobs, 'store');
    for (let i = 0; i < 2; i++) store.mockRejectedValueOnce(FULL);
    await submit(recordOf('e'), probe(), probe());
    start();
    expect(await verdicts('e', 2)).toMatchObject([{ outcome: 'accepted' }, { outcome: 'accepted' }]);
    expect((await queue.jobs.progress('e'))?.tally.items).toBe(2);
  });

  it('continues in another process after the first one stopped, and keeps no verdicts of interrupted objects', async () => {
    const { queue, dispatcher, start, submit } = await opened();
    await submit(recordOf('e'), probe(), endless);
    const runner = start();
    await expect.poll(() => dispatcher.runs.levels.normal.running).toBe(1);
    await expect.poll(async () => (await queue.jobs.progress('e'))?.partsDone).toBe(1);
    await runner.stop();
    expect(await queue.jobs.progress('e')).toMatchObject({ phase: 'running', partsDone: 1 });
    start();
    await expect.poll(() => dispatcher.runs.levels.normal.running).toBe(1);
    await queue.jobs.cancel('e');
  });
});
