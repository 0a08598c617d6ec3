import { steadyNow } from '#documents';
import type { Status } from '#kube';
import { queueKeyOf } from '../flow/index.ts';
import type { Flow, QueueKey } from '../flow/index.ts';
import type { RunAnswer, RunSettings } from '../engine.ts';
import type { ResultOf, Work } from '../protocol.ts';
import type { QueuedEngine, BatchEngine, BatchWork, OpenedBatch } from './queued-engine.ts';
import { openBatch } from './open-batch.ts';
import type { DispatcherQueue } from './open-batch.ts';
import type { RequestKind } from './refusals.ts';

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
