import { describe, expect, it, vi } from 'vitest';
import { latestServer } from '#kube';
import { emptyTally } from '#evaluation';
import type { ChunkResult, DefinitionText, DocumentSlice } from '#evaluation';
import { EmbeddedQueue } from '#queue';
import type { EvaluationRecord } from '#queue';
import type { RunAnswer, Work } from '#runner';
import { recordOf } from '../../../queue/test/evaluations.ts';
import type { PreparedBatch } from '../judge/prepared-batch.ts';
import { ownEngine } from '#runner';
import { inTurn } from './cut-runs.ts';
import { Overflow } from './overflow.ts';

const HOWEVER_LONG = { timeout: 120_000 };
const item = { bytes: Buffer.from('{}'), notation: 'json' } as const;
const text: DefinitionText = { ...latestServer(), digest: 'd', slice: item };
const resultOf = (verdict: string, items: number): ChunkResult => ({
  verdicts: Array.from({ length: items }, () => verdict),
  tally: { ...emptyTally(), items, phases: { total: items * 10 } },
  celCharge: 0,
  spans: [],
});

/** Returns a record whose items are expected to take 10 ms each, and whose runs need one definition. */
function recordWith(costLimits: Partial<EvaluationRecord['settings']['options']['costLimits']> = {}): EvaluationRecord {
  const record = recordOf('e');
  const { options } = record.settings;
  return {
    ...record,
    itemMs: 10,
    settings: {
      ...record.settings,
      definitions: [{ digest: 'd', group: 'example.com', kind: 'One' }],
      options: { ...options, costLimits: { ...options.costLimits, ...costLimits } },
    },
  };
}

/** Returns an engine of this process that takes part in a fleet with free seats, and the queue that the processes share. */
function scene(freeSeats: number, record = recordWith()) {
  const shared = new EmbeddedQueue(':memory:');
  Object.assign(shared.work, { freeSeatsElsewhere: () => freeSeats });
  const judgedHere: number[] = [];
  const opened = ownEngine({
    threads: 1,
    run: (work: Work) => {
      if (work.kind !== 'evaluate') throw new Error('other work');
      judgedHere.push(work.firstItem);
      const answer = { kind: 'done', result: resultOf('here', work.items.length), spentMs: 1 };
      return Promise.resolve(answer as unknown as RunAnswer<never>);
    },
  }).openBatch({ itemMs: 10, priced: undefined, isAlone: false, whole: undefined });
  if (opened.kind === 'full') throw new Error('the batch was refused');
  const overflow = new Overflow(shared);
  const batch = { settings: record.settings, texts: [text] } as unknown as PreparedBatch;
  const caller = new AbortController();
  const engine = overflow.beside(opened.engine, batch, record, caller.signal);
  const { settings } = record;
  const run = async (firstItem: number, items: readonly DocumentSlice[], signal?: AbortSignal): Promise<readonly string[]> => {
    const work = { kind: 'evaluate', firstItem, items, settings, traceparent: undefined, celLeft: undefined } as const;
    const answer = await engine.run(work, { ...(signal && { signal }) });
    return answer.kind === 'done' ? answer.result.verdicts : [answer.kind];
  };
  const claim = () => shared.work.claim(AbortSignal.timeout(5000));
  return { overflow, engine, shared, caller, judgedHere, run, claim };
}

/** Returns the runs of a batch: the first keeps the thread of this process busy, so the next ones are offered. */
const runsOf = (lengths: readonly number[]) => inTurn(lengths.map((length) => Array.from({ length }, () => item)));

describe('an engine that offers runs to other processes', () => {
  it('offers a run behind much work of its own, in a longer form, and gives the answer of the other process', async () => {
    const { overflow, engine, shared, judgedHere, run, claim } = scene(1);
    const runs = await Array.fromAsync(engine.runs(runsOf([5, 5, 5])));
    expect(runs.map(({ length }) => length)).toEqual([5, 10]);
    const offered = run(5, runs[1] ?? []);
    const claimed = await claim();
    expect(claimed?.chunk).toMatchObject({ evaluation: 'e', index: 0, firstItem: 5 });
    expect(overflow.isOffering).toBe(true);
    expect(await shared.definitions.get('d')).toEqual(text);
    if (claimed) await shared.work.commit(claimed, resultOf('there', 10));
    expect(await offered).toEqual(Array(10).fill('there'));
    expect([engine.wasElsewhere(5), engine.wasElsewhere(0), overflow.isOffering]).toEqual([true, false, false]);
    expect(await run(0, runs[0] ?? [])).toEqual(Array(5).fill('here'));
    expect(judgedHere).toEqual([0]);
    engine.close();
    await vi.waitFor(async () => expect(await shared.results.record('e')).toBeUndefined(), HOWEVER_LONG);
  });

  it.each([
    ['no other process has free seats', 0, {}],
    ['a budget needs one run after another', 4, { perEvaluation: 100 }],
  ])('offers nothing if %s', async (_, seats, costLimits) => {
    const { engine, overflow } = scene(seats, recordWith(costLimits));
    expect((await Array.fromAsync(engine.runs(runsOf([5, 5, 5])))).map(({ length }) => length)).toEqual([5, 5, 5]);
    expect(overflow.isOffering).toBe(false);
  });

  it('evaluates a run itself, in its own short runs, if the shared queue loses the evaluation, and offers nothing more', async () => {
    const { engine, shared, judgedHere, run, claim } = scene(2);
    const [, first = [], ...rest] = await Array.fromAsync(engine.runs(runsOf([5, 5, 5, 5])));
    const offered = run(5, first);
    await claim();
    await shared.results.forget('e');
    expect(await offered).toEqual(Array(first.length).fill('here'));
    expect(judgedHere).toEqual([5, 10]);
    for (const items of rest) expect(await run(15, items)).toEqual(Array(items.length).fill('here'));
  });

  it('evaluates itself what the shared queue refuses', async () => {
    const { engine, shared, run } = scene(2);
    Object.assign(shared.work, { accept: () => Promise.resolve('evaluations') });
    const [, first = []] = await Array.fromAsync(engine.runs(runsOf([5, 5])));
    expect(await run(5, first)).toEqual(Array(5).fill('here'));
  });

  it('takes everything back when its caller leaves', async () => {
    const { engine, shared, caller, run, claim } = scene(2);
    const [, first = []] = await Array.fromAsync(engine.runs(runsOf([5, 5])));
    const offered = run(5, first, caller.signal);
    expect((await claim())?.chunk.firstItem).toBe(5);
    caller.abort();
    await offered;
    await vi.waitFor(async () => expect(await shared.results.record('e')).toBeUndefined(), HOWEVER_LONG);
  });
});
