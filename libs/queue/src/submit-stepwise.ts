import { setImmediate } from 'node:timers/promises';
import type { DocumentSlice } from '#evaluation';
import { isRefusal } from '#runner/flow';
import type { Refusal } from '#runner/flow';
import type { EvaluationRecord, WorkQueue } from './ports.ts';

/**
 * Number of chunks that are queued before a pause for the event loop. Pauses are needed because a storage in this process answers without
 * returning to the event loop.
 */
const CHUNKS_A_TURN = 8;

/**
 * Performs {@link WorkQueue.submit} as a sequence of calls: accepts the evaluation, queues each chunk, and seals the evaluation. Used if a
 * storage cannot accept an evaluation and its chunks in one step, or not with that many chunks. If a chunk is refused, calls `forget` to
 * delete the evaluation, and returns the refusal.
 */
export async function submitStepwise(
  queue: Pick<WorkQueue, 'accept' | 'enqueue' | 'seal'>,
  record: EvaluationRecord,
  chunks: readonly (readonly DocumentSlice[])[],
  forget: (id: string) => Promise<void>,
): Promise<'accepted' | 'exists' | Refusal> {
  const accepted = await queue.accept(record);
  if (accepted !== 'accepted') return accepted;
  try {
    let firstItem = 0;
    for (const [index, items] of chunks.entries()) {
      if (index > 0 && index % CHUNKS_A_TURN === 0) await setImmediate();
      const queued = await queue.enqueue(record.id, firstItem, items);
      if (isRefusal(queued)) {
        await forget(record.id);
        return queued;
      }
      // The evaluation ended meanwhile: its reader learns that, and the remaining chunks need not be sent.
      if (queued === 'over') return 'accepted';
      firstItem += items.length;
    }
    await queue.seal(record.id);
    return 'accepted';
  } catch (error) {
    // The client gets an error and will not cancel: the part that was sent is ended here.
    await forget(record.id).catch(() => undefined);
    throw error;
  }
}
