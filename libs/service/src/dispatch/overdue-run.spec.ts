import { describe, expect, it } from 'vitest';
import { countVerdict, defaultOptions, emptyTally, steadyNow } from '#evaluation';
import type { ChunkResult } from '#evaluation';
import { DEFAULT_QUEUE_LIMITS } from '#queue';
import { Dispatcher, Refusals } from '#runner';
import { PriceBook } from '#runner/flow';
import type { Claim, QueueAdapter } from '#queue';
import { logOnly } from '#telemetry';
import type { Engine } from '../ports.ts';
import { ChunkConsumer } from './chunk-consumer.ts';

const telemetry = logOnly();
const ITEMS = 1000;

/** Claim of a stretch of 1000 items that is expected to take 100 ms. */
const run: Claim = {
  chunk: {
    evaluation: 'e',
    index: 0,
    firstItem: 0,
    items: Array.from({ length: ITEMS }, () => ({ bytes: new Uint8Array(2), notation: 'json' as const })),
    settings: { options: defaultOptions(), definitions: [], refused: [], deadlineAt: steadyNow() + 60_000, traceparent: undefined },
  },
  earlierClaims: 0,
  lease: 'l',
  queueKey: { level: 'normal', flow: 'f', division: '', weight: 1, leaf: 'e' },
  waitedMs: 0,
  celSpent: 0,
  expectedMs: 100,
};

/** Returns an engine that accepts every item and reports a time of `itemMs` ms per item. */
function engineOf(threads: number, itemMs: number): Engine {
  return {
    threads,
    run: async (work) => {
      await new Promise(setImmediate);
      if (work.kind !== 'evaluate') throw new Error(`a run has no ${work.kind}`);
      const tally = emptyTally();
      for (let i = 0; i < work.items.length; i++) countVerdict(tally, 'accepted', 0, 0, {});
      const verdicts = work.items.map((_, i) => String(work.firstItem + i));
      return { kind: 'done', result: { verdicts, tally, celCharge: 0, spans: [] }, spentMs: work.items.length * itemMs } as never;
    },
  };
}

/** Evaluates the claim `run`. Returns the results that the queue received by `divide` and by `commit`. */
async function judge(engine: Engine, freeSeats: number): Promise<{ divided: ChunkResult[]; committed: ChunkResult[] }> {
  const [divided, committed]: [ChunkResult[], ChunkResult[]] = [[], []];
  const queue = {
    work: {
      join: () => Promise.resolve(() => Promise.resolve()),
      renew: () => Promise.resolve([true]),
      freeSeatsElsewhere: () => freeSeats,
      commit: (_: Claim, result: ChunkResult) => Promise.resolve(committed.push(result) && 'stored'),
      divide: (_: Claim, result: ChunkResult) => Promise.resolve(divided.push(result) && 'stored'),
    },
    cancellations: { onCancelled: () => () => undefined },
  } as unknown as QueueAdapter;
  const dispatcher = new Dispatcher({
    engine,
    limits: DEFAULT_QUEUE_LIMITS,
    prices: new PriceBook(),
    refusals: new Refusals(telemetry),
    telemetry,
  });
  const consumer = new ChunkConsumer(queue, engine, telemetry, dispatcher);
  await consumer.take(run);
  await consumer.end();
  return { divided, committed };
}

describe('a run that takes twice the time that was expected', () => {
  it.each([1, 2])('commits what it judged and gives back what it did not begin: %i threads', async (threads) => {
    const { divided, committed } = await judge(engineOf(threads, 0.5), 2);
    expect(committed).toEqual([]);
    expect(divided).toHaveLength(1);
    const verdicts = divided[0]?.verdicts ?? [];
    // 400 items are 200 ms. The next part tells, and what the engine has by then comes to its end.
    expect(verdicts.length).toBeGreaterThan(400);
    expect(verdicts.length).toBeLessThan(ITEMS);
    expect(verdicts).toEqual(verdicts.map((_, i) => String(i)));
    expect(divided[0]?.tally).toMatchObject({ accepted: verdicts.length, cancelled: 0 });
  });

  it('is judged to its end if no other process has a seat', async () => {
    const { divided, committed } = await judge(engineOf(1, 0.5), 0);
    expect(divided).toEqual([]);
    expect(committed[0]?.tally).toMatchObject({ accepted: ITEMS });
  });

  it('is judged to its end if it is no slower than that', async () => {
    const { divided, committed } = await judge(engineOf(1, 0.19), 2);
    expect(divided).toEqual([]);
    expect(committed[0]?.verdicts).toHaveLength(ITEMS);
  });
});
