import { CHUNK_LIMITS, steadyNow } from '#evaluation';
import type { Status } from '#kube';
import { queueKeyOf } from '../flow/index.ts';
import type { Flow, QueueKey } from '../flow/index.ts';
import type { RunAnswer, RunSettings } from '../engine.ts';
import type { ResultOf, Work } from '../protocol.ts';
import { runsAhead } from './admitted-engine.ts';
import type { AdmittedEngine, BatchEngine, BatchWork, OpenedBatch } from './admitted-engine.ts';
import type { DispatcherPorts } from './dispatcher-ports.ts';
import type { RequestKind } from './refusals.ts';
import { whileRoom } from './while-room.ts';
import type { Position, WorkAccount } from './work-account.ts';
import { limitsWorthSending } from './worth-sending.ts';

/** Queue of the dispatcher, as a request uses it. */
export interface RequestQueue {
  readonly ports: DispatcherPorts;
  readonly account: WorkAccount;
  /** Adds a position to the queue. `itemMs` is the expected time of an item on a thread, in ms. */
  add(queueKey: QueueKey, itemMs: number): void;
  /** Removes a position from the queue. Work that waits at this position is answered as not run. */
  drop(queueKey: QueueKey): void;
  /** Queues work and resolves to its answer. */
  wait<One extends Work>(at: Position, work: One, settings?: RunSettings): Promise<RunAnswer<ResultOf<One>>>;
}

/**
 * Number of runs that wait here for each run that is offered. Results leave in order, and those of offered runs come late. With fewer runs,
 * the threads of this process wait for them. Then two nodes reach 0.7 × the throughput of one process with the same threads, not 0.9 ×.
 */
const AHEAD_OF_OFFERS = 2;

const REQUEST = { kind: 'request' } as const;

/** Access of one request to the engine. The request is in the queue from its admission until it leaves or opens a batch. */
export class AdmittedRequest implements AdmittedEngine {
  readonly threads: number;
  readonly #queue: RequestQueue;
  readonly #id: string;
  readonly #flow: Flow;
  readonly #kind: RequestKind;
  /** Number of bytes of the request's body, which stay in memory while the request is in the queue. */
  readonly #bodyBytes: number;
  /** Position in the admission queue; undefined while the request is not in the queue. Most requests never enter it. */
  #queueKey: QueueKey | undefined;
  #batch: BatchEngine | undefined;

  constructor(queue: RequestQueue, id: string, flow: Flow, kind: RequestKind, bodyBytes: number) {
    this.threads = queue.ports.engine.threads;
    this.#queue = queue;
    this.#id = id;
    this.#flow = flow;
    this.#kind = kind;
    this.#bodyBytes = bodyBytes;
  }

  admit(): Status | undefined {
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
    this.#batch = this.#openedBatch(queueKey, batch);
    return { kind: 'open', engine: this.#batch };
  }

  leave(): void {
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

  #openedBatch(queueKey: QueueKey, { itemMs, priced, isAlone, whole }: BatchWork): BatchEngine {
    const queue = this.#queue;
    const flow = this.#flow;
    const { limits, elsewhere } = queue.ports;
    const { threads } = this;
    const reserved = { runs: whole?.runs ?? 0, bytes: whole?.bytes ?? 0 };
    queue.account.reserve(queueKey, reserved, 1);
    queue.add(queueKey, itemMs);
    const owner = { kind: 'run', isAlone, isClaimed: false, priced, mayLeave: true, holder: flow } as const;
    const at: Position = { queueKey, owner, reserved };
    let isOpen = true;
    const hasRoom = (bytes: number): boolean => !isOpen || queue.account.load.refusesChunk(queueKey, flow, limits, bytes) === undefined;
    return {
      threads,
      get ahead() {
        return runsAhead(threads) + (isAlone ? 0 : AHEAD_OF_OFFERS * (elsewhere?.window ?? 0));
      },
      runLimits: !isAlone && elsewhere?.hasRoom === true ? limitsWorthSending(itemMs) : CHUNK_LIMITS,
      run: (work, settings) => queue.wait(at, work, settings),
      runs: (source) => (whole === undefined ? whileRoom(source, hasRoom) : source),
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        queue.drop(queueKey);
        queue.account.reserve(queueKey, reserved, -1);
      },
    };
  }
}
