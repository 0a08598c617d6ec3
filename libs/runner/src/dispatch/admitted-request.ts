import { setTimeout } from 'node:timers/promises';
import { CHUNK_LIMITS, chunkBytes, OFFERED_RUN_LIMITS, steadyNow } from '#documents';
import type { DocumentSlice } from '#documents';
import type { Status } from '#kube';
import type { Telemetry } from '#telemetry';
import type { Engine, RunAnswer, RunSettings } from '../engine.ts';
import type { FleetSeats } from '../fleet/fleet-seats.ts';
import { expectedMs, queueKeyOf } from '../flow/index.ts';
import type { Flow, FlowLoad, LoadLimits, PriceBook, QueueKey } from '../flow/index.ts';
import type { ResultOf, Work } from '../protocol.ts';
import { runsAhead } from './queued-engine.ts';
import type { BatchEngine, BatchWork, OpenedBatch, QueuedEngine } from './queued-engine.ts';
import type { Refusals, RequestKind } from './refusals.ts';
import type { Position, RunOwner, WaitingWork, WorkAccount } from './work-account.ts';

/** Dependencies of a `Dispatcher`: the engine, the limits of the queue, measured prices, the recorder of refusals, and telemetry. */
export interface DispatcherPorts {
  readonly engine: Engine;
  readonly limits: LoadLimits;
  /** Account of all work that waits in this process; by default, an account of the dispatcher alone. */
  readonly load?: FlowLoad;
  /** Prices, which the runs of batches correct. */
  readonly prices: PriceBook;
  readonly refusals: Refusals;
  readonly telemetry: Telemetry;
  /** Free engine threads of other processes, which perform runs while the engine is busy. Absent if there are no other processes. */
  readonly elsewhere?: Pick<FleetSeats, 'hasRoom' | 'run' | 'window'> | undefined;
}

const REQUEST = { kind: 'request' } as const;

/** Access of one request to the engine. The request is in the queue from its admission until it leaves or opens a batch. */
export class AdmittedRequest implements QueuedEngine {
  readonly threads: number;
  readonly #queue: DispatcherQueue;
  readonly #id: string;
  readonly #flow: Flow;
  readonly #kind: RequestKind;
  /** Number of bytes of the request's body, which stay in memory while the request is in the queue. */
  readonly #bodyBytes: number;
  /** Position in the admission queue; undefined while the request is not in the queue. Most requests never enter it. */
  #queueKey: QueueKey | undefined;
  #batch: BatchEngine | undefined;

  constructor(queue: DispatcherQueue, id: string, flow: Flow, kind: RequestKind, bodyBytes: number) {
    this.threads = queue.ports.engine.threads;
    this.#queue = queue;
    this.#id = id;
    this.#flow = flow;
    this.#kind = kind;
    this.#bodyBytes = bodyBytes;
  }

  enterQueue(): Status | undefined {
    if (this.#queueKey) return undefined;
    const { account, ports } = this.#queue;
    const queueKey = queueKeyOf({ id: this.#id, createdAt: steadyNow(), flow: this.#flow });
    const refusal = account.load.refusesEvaluation(queueKey, this.#flow, ports.limits);
    if (refusal) return ports.refusals.refuse(this.#flow.level, refusal, this.#kind);
    this.#queueKey = queueKey;
    account.addRequest(queueKey, this.#bodyBytes, 1);
    this.#queue.add(queueKey, 1);
    return undefined;
  }

  run<One extends Work>(work: One, settings?: RunSettings): Promise<RunAnswer<ResultOf<One>>> {
    if (!this.#queueKey) throw new Error('a request was not admitted before its work');
    return this.#queue.wait({ queueKey: this.#queueKey, owner: REQUEST }, work, settings);
  }

  /** Opens the batch of the request. The batch takes the place of the request, so that the request is not counted twice. */
  openBatch(batch: BatchWork): OpenedBatch {
    const { account, ports } = this.#queue;
    this.#leaveQueue();
    const queueKey = queueKeyOf({ id: `${this.#id}-batch`, createdAt: steadyNow(), flow: this.#flow });
    const refusal =
      account.load.refusesEvaluation(queueKey, this.#flow, ports.limits) ??
      (batch.whole && account.load.refusesBatch(queueKey, this.#flow, ports.limits, batch.whole));
    if (refusal) return { kind: 'full', status: ports.refusals.refuse(this.#flow.level, refusal, this.#kind) };
    this.#batch = openBatch(this.#queue, { flow: this.#flow, queueKey, isStored: false }, batch);
    return { kind: 'open', engine: this.#batch };
  }

  leaveQueue(): void {
    this.#batch?.close();
    this.#leaveQueue();
  }

  #leaveQueue(): void {
    const queueKey = this.#queueKey;
    if (!queueKey) return;
    this.#queueKey = undefined;
    this.#queue.account.addRequest(queueKey, this.#bodyBytes, -1);
    this.#queue.drop(queueKey);
  }
}

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
      return !isAlone && elsewhere?.hasRoom === true ? OFFERED_RUN_LIMITS : CHUNK_LIMITS;
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

/** Returns no bound of seats for a run that is worth sending to another process, and 0 for other work. */
export const worthSending = ({ mayLeave, items, bytes }: WaitingWork, _: string, itemMs: number): number =>
  mayLeave && expectedMs(itemMs, items, bytes) >= RUN_MS ? Infinity : 0;
