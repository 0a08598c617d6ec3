import { CHUNK_LIMITS, chunkBytes, OFFERED_RUN_LIMITS } from '#documents';
import type { Flow, QueueKey } from '../flow/index.ts';
import type { RunAnswer, RunSettings } from '../engine.ts';
import type { ResultOf, Work } from '../protocol.ts';
import { runsAhead } from './queued-engine.ts';
import type { BatchEngine, BatchWork } from './queued-engine.ts';
import type { DispatcherPorts } from './dispatcher-ports.ts';
import type { RunOwner, WaitingWork, Position, WorkAccount } from './work-account.ts';
import { setTimeout } from 'node:timers/promises';
import type { DocumentSlice, RunLimits } from '#documents';
import { expectedMs } from '../flow/index.ts';

/** Queue of the dispatcher, as requests and batches use it. */
export interface DispatcherQueue {
  readonly ports: DispatcherPorts;
  readonly account: WorkAccount;
  /** Adds a position to the queue. `itemMs` is the expected time of an item on a thread, in ms. */
  add(queueKey: QueueKey, itemMs: number): void;
  /** Removes a position from the queue. Work that waits at this position is answered as not run. */
  drop(queueKey: QueueKey): void;
  /** Queues work and resolves to its answer. */
  wait<One extends Work>(at: Position, work: One, settings?: RunSettings): Promise<RunAnswer<ResultOf<One>>>;
}

/** Place of a batch in the queue of the dispatcher. */
export interface BatchPlace {
  readonly flow: Flow;
  readonly queueKey: QueueKey;
  /** True if the batch is a stored job. The storage counts its runs, and holds the texts of its definitions for other processes. */
  readonly isStored: boolean;
}

/**
 * Number of runs that wait here for each run that is offered. Results leave in order, and those of offered runs come late. With fewer runs,
 * the threads of this process wait for them. Then two nodes reach 0.7 × the throughput of one process with the same threads, not 0.9 ×.
 */
const AHEAD_OF_OFFERS = 2;

/** Opens a batch, and returns the engine for its runs. A batch that has arrived is counted as a whole until its runs wait. */
export function openBatch(
  queue: DispatcherQueue,
  { flow, queueKey, isStored }: BatchPlace,
  { itemMs, priced, isAlone, whole }: BatchWork,
): BatchEngine {
  const { limits, elsewhere, engine } = queue.ports;
  const { threads } = engine;
  const reserved = { runs: whole?.runs ?? 0, bytes: whole?.bytes ?? 0 };
  const reserve = (by: 1 | -1): void => {
    if (!isStored) queue.account.reserve(queueKey, reserved, by);
  };
  reserve(1);
  queue.add(queueKey, itemMs);
  const owner: RunOwner = {
    kind: 'run',
    isAlone,
    origin: isStored ? 'job' : 'request',
    priced,
    mayLeave: true,
    holder: isStored ? undefined : flow,
  };
  const at: Position = { queueKey, owner, reserved };
  let isOpen = true;
  const hasRoom = (bytes: number): boolean => !isOpen || queue.account.load.refusesChunk(queueKey, flow, limits, bytes) === undefined;
  return {
    threads,
    get ahead() {
      return runsAhead(threads) + (isAlone ? 0 : AHEAD_OF_OFFERS * (elsewhere?.window ?? 0));
    },
    get runLimits() {
      return !isAlone && elsewhere?.hasRoom === true ? limitsWorthSending(itemMs) : CHUNK_LIMITS;
    },
    run: (work, settings) => queue.wait(at, work, settings),
    runs: (source) => (whole === undefined ? whileRoom(source, hasRoom) : source),
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      queue.drop(queueKey);
      reserve(-1);
    },
  };
}

/** Pause in ms between two checks if a full queue has room for the next run of an arriving batch. */
const FULL_QUEUE_PAUSE_MS = 20;

/** Yields the runs of an arriving batch. Reads no further run while the queue has no room for the last one. */
async function* whileRoom(
  source: AsyncGenerator<readonly DocumentSlice[]>,
  hasRoom: (bytes: number) => boolean,
): AsyncGenerator<readonly DocumentSlice[]> {
  for await (const run of source) {
    while (!hasRoom(chunkBytes(run))) await setTimeout(FULL_QUEUE_PAUSE_MS);
    yield run;
  }
}

/**
 * Expected time in ms from which a run is offered to other processes. Sending a run and its result takes the processes more than one ms of
 * computing time.
 */
const RUN_MS = 5;
/** Expected time of one item in ms from which a run is offered. Sending shorter items takes the processes as long as their evaluation. */
const ITEM_MS = 0.02;

/** Returns no bound of seats for a run that is worth sending to another process, and 0 for other work. */
export const worthSending = ({ mayLeave, items, bytes }: WaitingWork, _: string, itemMs: number): number =>
  mayLeave && itemMs >= ITEM_MS && expectedMs(itemMs, items, bytes) >= RUN_MS ? Infinity : 0;

/** Returns the limits of the runs of an arriving batch whose items are expected to take `itemMs` ms each, if other processes have free seats. */
const limitsWorthSending = (itemMs: number): RunLimits => (itemMs >= ITEM_MS ? OFFERED_RUN_LIMITS : CHUNK_LIMITS);
