import { setTimeout } from 'node:timers/promises';
import { CHUNK_LIMITS, chunkBytes, LONG_RUN_LIMITS, splitBatch } from '#evaluation';
import type { ChunkResult, DocumentSlice } from '#evaluation';
import { isRefusal } from '#queue';
import type { EvaluationRecord, QueueAdapter, Refusal, WorkQueue } from '#queue';
import { Backlog } from './backlog.ts';
import type { Overflow } from './overflow.ts';
import { readAhead } from './read-ahead.ts';

/** Pause in ms between two attempts to add a run of an arriving batch to a full queue. */
const FULL_QUEUE_PAUSE_MS = 20;

/** Run (stretch of consecutive items) that was queued as a chunk, or offered to other processes. */
export interface QueuedRun {
  /**
   * Index of the run's chunk in this process's queue. For a run that was offered to other processes, index of the next chunk in this queue.
   */
  readonly index: number;
  readonly firstItem: number;
  readonly items: readonly DocumentSlice[];
  /**
   * Result from another process for an offered run; absent if the run was not offered. The promise resolves to undefined if no process
   * answers.
   */
  readonly overflowResult?: Promise<ChunkResult | undefined>;
}

/**
 * Queues all chunks of a batch (the objects of one evaluation) in one step. If the queue cannot accept all of them, queues none. Returns
 * the queued chunks or the reason of the refusal.
 */
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

/** Inputs of {@link queueArriving}, which queues the runs (stretches of consecutive items) of a batch as they arrive. */
export interface ArrivingRuns {
  /** Queue of this process. */
  readonly queue: Pick<QueueAdapter, 'work' | 'results'>;
  readonly record: EvaluationRecord;
  /** Port that accepts runs if the threads of this process have enough work; undefined if there are no other processes. */
  readonly overflow: Overflow | undefined;
  /** Number of engine threads of this process. */
  readonly threads: number;
}

/**
 * Returns the number of runs (stretches of consecutive items) that the service queues before it reads their results. `threads` is the
 * number of threads of the engine. The caller queues more runs if other processes may take some of them.
 */
export const runsAhead = (threads: number): number => 2 * threads + 2;

/**
 * Queues the runs (stretches of consecutive items) of a batch as they arrive, and yields each queued run. Queues up to {@link runsAhead}
 * runs ahead of the run whose result the caller reads, plus the runs that it offers to other processes. Reads no runs while the queue is
 * full. Also yields a run that arrives after the end of the evaluation, so that the caller learns the reason.
 */
export function queueArriving(to: ArrivingRuns, runs: AsyncIterable<readonly DocumentSlice[]>): AsyncGenerator<QueuedRun> {
  const backlog = new Backlog(to.threads, to.record.itemMs);
  // Other processes come and go while a long batch arrives.
  const ahead = (): number => {
    const own = runsAhead(to.threads);
    const overflowRuns = to.overflow?.window(to.record) ?? 0;
    return overflowRuns === 0 ? own : Math.max(own, backlog.longRuns) + overflowRuns;
  };
  return readAhead(queueEach(to, runs, backlog), ahead);
}

async function* queueEach(to: ArrivingRuns, runs: AsyncIterable<readonly DocumentSlice[]>, backlog: Backlog): AsyncGenerator<QueuedRun> {
  const { queue, record, overflow } = to;
  const source = runs[Symbol.asyncIterator]();
  let index = 0;
  let firstItem = 0;
  let isWhole = false;
  try {
    for (let step = await source.next(); step.done !== true; step = await source.next()) {
      let own: readonly (readonly DocumentSlice[])[] = [step.value];
      if (overflow?.hasRoom(record) === true && (await isBehind(to, backlog))) {
        const items = await lengthened(step.value, source, record.itemMs);
        const offer = await overflow.offer(record, firstItem, items);
        if (offer) {
          yield { index, firstItem, items, overflowResult: offer.result };
          firstItem += items.length;
          continue;
        }
        own = splitBatch(items, record.itemMs);
      }
      for (const run of own) {
        const queued = await queueWhenRoom(queue.work, record, firstItem, run);
        backlog.add(run.length);
        yield { index, firstItem, items: run };
        if (!queued) return;
        index++;
        firstItem += run.length;
      }
    }
    isWhole = true;
  } finally {
    source.return?.(undefined).catch(() => undefined);
    // The reader stopped, perhaps while a run was being offered that it will never see.
    if (!isWhole) overflow?.end(record.id);
  }
  await queue.work.seal(record.id);
}

/**
 * Returns true if so much work waits for this process's threads that runs (stretches of consecutive items) should be offered to other
 * processes.
 */
async function isBehind({ queue, record }: ArrivingRuns, backlog: Backlog): Promise<boolean> {
  const progress = await queue.results.progress(record.id);
  if (progress === undefined) return false;
  backlog.update(progress);
  return backlog.isLong;
}

/** Joins a run (stretch of consecutive items) with the following runs, up to the limits `LONG_RUN_LIMITS`. */
async function lengthened(
  first: readonly DocumentSlice[],
  source: AsyncIterator<readonly DocumentSlice[]>,
  itemMs: number,
): Promise<readonly DocumentSlice[]> {
  const items = [...first];
  let bytes = chunkBytes(items);
  const { items: mostItems, bytes: mostBytes, ms } = LONG_RUN_LIMITS;
  // Each further run holds at most what the first may hold.
  while (
    items.length + CHUNK_LIMITS.items <= mostItems &&
    bytes + CHUNK_LIMITS.bytes <= mostBytes &&
    items.length * itemMs + CHUNK_LIMITS.ms <= ms
  ) {
    const step = await source.next();
    if (step.done === true) break;
    items.push(...step.value);
    bytes += chunkBytes(step.value);
  }
  return items;
}

/** Queues a run (stretch of consecutive items). Waits while the queue is full. Returns false if the evaluation is over. */
export async function queueWhenRoom(
  work: WorkQueue,
  { id }: EvaluationRecord,
  firstItem: number,
  items: readonly DocumentSlice[],
): Promise<boolean> {
  return (await untilTaken(() => work.enqueue(id, firstItem, items))) === 'queued';
}

/**
 * Repeats `ask` with pauses while the queue answers that it is full. Stops at any other answer, or if `signal` is aborted. Returns the last
 * answer.
 */
export async function untilTaken<Answer extends string>(ask: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (!isRefusal(answer) || signal?.aborted === true) return answer;
    await setTimeout(FULL_QUEUE_PAUSE_MS);
  }
}
