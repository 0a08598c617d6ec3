import { describe, expect, it } from 'vitest';
import { latestServer } from '#kube';
import { emptyTally } from '#evaluation';
import type { ChunkResult, DefinitionText } from '#evaluation';
import { EmbeddedQueue } from '#queue';
import type { EvaluationRecord, QueueAdapter } from '#queue';
import { recordOf } from '../../../queue/test/evaluations.ts';
import { Overflow } from './overflow.ts';

const item = { bytes: Buffer.from('{}'), notation: 'json' } as const;
const text: DefinitionText = { ...latestServer(), digest: 'd', slice: item };
const judged: ChunkResult = { verdicts: ['{}'], tally: { ...emptyTally(), items: 1 }, celCharge: 0, spans: [] };

/** Returns a record whose runs need one definition. */
function recordWith(costLimits: Partial<EvaluationRecord['settings']['options']['costLimits']> = {}): EvaluationRecord {
  const record = recordOf('e');
  const { options } = record.settings;
  return {
    ...record,
    settings: {
      ...record.settings,
      definitions: [{ digest: 'd', group: 'example.com', kind: 'One' }],
      options: { ...options, costLimits: { ...options.costLimits, ...costLimits } },
    },
  };
}

/** Creates two queues in memory. One of them represents the queue that all processes share. */
async function scene(freeSeats: number, { knows = true } = {}) {
  const [own, shared] = [new EmbeddedQueue(':memory:'), new EmbeddedQueue(':memory:')];
  Object.assign(shared.work, { freeSeatsElsewhere: () => freeSeats });
  if (knows) await own.definitions.put(text, { flow: recordOf('e').flow, leftMs: 1000 });
  const adapter: QueueAdapter = shared;
  return { overflow: new Overflow({ shared: adapter, definitions: own.definitions }), shared };
}

describe('overflow', () => {
  it('offers as many runs as others have free seats for, twice, and one more for each that is answered', async () => {
    const { overflow, shared } = await scene(1);
    const record = recordWith();
    const first = await overflow.offer(record, 0, [item]);
    expect(overflow.hasRoom(record)).toBe(true);
    const second = await overflow.offer(record, 1, [item]);
    expect(overflow.hasRoom(record)).toBe(false);
    const claim = await shared.work.claim(AbortSignal.timeout(5000));
    expect(claim?.chunk).toMatchObject({ evaluation: 'e', index: 0, firstItem: 0 });
    expect(await shared.definitions.get('d')).toEqual(text);
    if (claim) await shared.work.commit(claim, judged);
    expect(await first?.result).toEqual(judged);
    expect(overflow.hasRoom(record)).toBe(true);
    overflow.end('e');
    expect(await second?.result).toBeUndefined();
    expect(await shared.work.claim(AbortSignal.timeout(10))).toBeUndefined();
    expect(await shared.results.record('e')).toBeUndefined();
  });

  it.each([
    ['nobody else has free seats', 0, {}],
    ['a budget needs the runs in turn', 4, { perEvaluation: 100 }],
  ])('offers nothing where %s', async (_, seats, costLimits) => {
    const { overflow } = await scene(seats);
    expect(overflow.hasRoom(recordWith(costLimits))).toBe(false);
  });

  it('offers nothing more after a run was not taken: a definition is not at hand', async () => {
    const { overflow } = await scene(2, { knows: false });
    const record = recordWith();
    expect(await overflow.offer(record, 0, [item])).toBeUndefined();
    expect(overflow.hasRoom(record)).toBe(false);
  });

  it('answers nothing, and offers nothing more, when the shared queue loses an evaluation', async () => {
    const { overflow, shared } = await scene(2);
    const record = recordWith();
    const offer = await overflow.offer(record, 0, [item]);
    await shared.results.forget('e');
    expect(await offer?.result).toBeUndefined();
    expect(overflow.hasRoom(record)).toBe(false);
  });
});
