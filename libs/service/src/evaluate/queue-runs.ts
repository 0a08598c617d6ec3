import { setTimeout } from 'node:timers/promises';
import type { DocumentSlice } from '#evaluation';
import { isRefusal } from '#queue';
import type { EvaluationRecord, Refusal, WorkQueue } from '#queue';
import { readAhead } from './read-ahead.ts';

/** How long a batch that still arrives waits before it asks a full queue again, ms. */
const FULL_QUEUE_PAUSE_MS = 20;

/** A run of items that was queued as a chunk. */
export interface QueuedRun {
  /** The chunk's position. */
  readonly index: number;
  readonly firstItem: number;
  readonly items: readonly DocumentSlice[];
}

/** Queues all runs of a batch in one step, or none of them; gives what was queued. */
export async function queueWhole(
  work: WorkQueue,
  record: EvaluationRecord,
  chunks: readonly (readonly DocumentSlice[])[],
): Promise<{ readonly queued: readonly QueuedRun[] } | { readonly refusal: Refusal }> {
  const answer = await work.submit(record, chunks);
  if (isRefusal(answer)) return { refusal: answer };
  let firstItem = 0;
  const queued = chunks.map((items, index) => {
    firstItem += items.length;
    return { index, firstItem: firstItem - items.length, items };
  });
  return { queued };
}

/**
 * Queues the runs of a batch as they come, at most `ahead` of them before their results are wanted. While the queue is full nothing is read. What
 * came too late to be queued is given as well: the reader of its result learns why there is none.
 */
export function queueArriving(
  work: WorkQueue,
  record: EvaluationRecord,
  runs: AsyncIterable<readonly DocumentSlice[]>,
  ahead: number,
): AsyncGenerator<QueuedRun> {
  return readAhead(queueEach(work, record, runs), ahead);
}

async function* queueEach(
  work: WorkQueue,
  record: EvaluationRecord,
  runs: AsyncIterable<readonly DocumentSlice[]>,
): AsyncGenerator<QueuedRun> {
  let index = 0;
  let firstItem = 0;
  for await (const items of runs) {
    const queued = await queueWhenRoom(work, record, firstItem, items);
    yield { index, firstItem, items };
    if (!queued) return;
    index++;
    firstItem += items.length;
  }
  await work.seal(record.id);
}

/** False when the evaluation is over. */
async function queueWhenRoom(
  work: WorkQueue,
  { id }: EvaluationRecord,
  firstItem: number,
  items: readonly DocumentSlice[],
): Promise<boolean> {
  for (;;) {
    const answer = await work.enqueue(id, firstItem, items);
    if (!isRefusal(answer)) return answer === 'queued';
    await setTimeout(FULL_QUEUE_PAUSE_MS);
  }
}
