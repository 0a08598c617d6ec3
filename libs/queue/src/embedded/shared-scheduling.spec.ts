import { describe, expect, it } from 'vitest';
import { answer, flowOf, item, recordOf } from '../../test/evaluations.ts';
import { FairQueue } from '../flow/fair-queue.ts';
import type { Sized } from '../flow/fair-queue.ts';
import { queueKeyOf } from '../flow/flow.ts';
import { EmbeddedQueue } from './embedded-queue.ts';
import { isChunk } from './embedded-work.ts';
import type { WaitingChunk } from './waiting-chunk.ts';

/** Request for which a client waits. It is in the same fair queue as chunks. */
interface Request extends Sized {
  readonly request: string;
}

function shared() {
  const fair = new FairQueue<WaitingChunk | Request>();
  const reported = { queued: 0 };
  const queue = new EmbeddedQueue<Request>(':memory:', undefined, { shared: { fair, onQueued: () => void reported.queued++ } });
  return { fair, queue, reported };
}

describe('a fair queue that chunks share with other work', () => {
  it('lets a scheduler pick among both, and claim the chunks that it picked', async () => {
    const { fair, queue, reported } = shared();
    await queue.work.submit(recordOf('batch', { flow: flowOf('nightly') }), [[item('1')], [item('2')]]);
    expect(reported.queued).toBe(2);
    const place = queueKeyOf({ id: 'r', createdAt: 0, flow: flowOf('ci') });
    fair.add(place, 1);
    fair.enqueue(place, { request: 'explain', items: 1, bytes: 0 });
    const picked = [fair.pick(Infinity), fair.pick(Infinity), fair.pick(Infinity)].filter((one) => one !== undefined);
    const chunks = picked.filter(isChunk);
    expect(chunks.map(({ entry }) => entry.chunk.index)).toEqual([0, 1]);
    expect(picked.flatMap(({ entry }) => ('request' in entry ? [entry.request] : []))).toEqual(['explain']);
    for (const one of chunks) {
      const claim = queue.work.claimPicked(one);
      if (!claim) throw new Error('the evaluation lives');
      expect(await queue.work.commit(claim, answer('x'), 1)).toBe('stored');
    }
    expect(await queue.results.progress('batch')).toMatchObject({ phase: 'complete' });
    expect(fair.running('normal/nightly')).toBe(0);
    expect(fair.running('normal/ci')).toBe(1);
    await queue.close();
  });

  it('gives no claim to a chunk whose evaluation ended after it was picked; the seat is free', async () => {
    const { fair, queue } = shared();
    await queue.work.submit(recordOf('e1'), [[item('1')]]);
    const picked = fair.pick(Infinity);
    if (!picked || !isChunk(picked)) throw new Error('a chunk waits');
    await queue.cancellations.cancel('e1');
    expect(queue.work.claimPicked(picked)).toBeUndefined();
    expect(await queue.work.depth()).toMatchObject({ waiting: 0, claimed: 0, waitingBytes: 0, levels: { normal: { claimed: 0 } } });
    await queue.close();
  });
});
