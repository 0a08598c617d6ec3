import { steadyNow } from '#evaluation';
import type { ChunkResult } from '#evaluation';
import { FairQueue, FlowLoad, flowPath, isChunk, LEVELS, queueKeyOf, seatsPerFlow } from '#queue';
import type { Claim, EmbeddedWork, Flow, Level, Picked, QueueKey, QueueLimits, WaitingChunk } from '#queue';
import { NOT_RUN } from '#runner';
import type { ResultOf, RunAnswer, RunSettings, Work } from '#runner';
import type { LevelGauges, Telemetry } from '#telemetry';
import type { Declined } from '../outcome.ts';
import type { AdmittedEngine, Engine } from '../ports.ts';
import { expectedMsOf } from './chunk-consumer.ts';
import type { ChunkConsumer } from './chunk-consumer.ts';
import { EngineLoad } from './engine-load.ts';
import { FreeSeats } from './free-seats.ts';
import { BorrowedSeats } from './borrowed-seats.ts';
import type { Refusals, RequestKind } from './refusals.ts';
import { WaitingWork } from './waiting-work.ts';
import type { WorkOwner } from './waiting-work.ts';

/** Dependencies of a {@link Dispatcher}: the engine, the limits of the queue, the recorder of refused requests, and telemetry. */
export interface DispatcherPorts {
  readonly engine: Engine;
  readonly limits: QueueLimits;
  readonly refusals: Refusals;
  readonly telemetry: Telemetry;
}

/** Request that may wait in the admission queue. */
interface Request {
  readonly id: string;
  readonly flow: Flow;
  readonly kind: RequestKind;
  /** Number of bytes of the request's body, which stay in memory while the request is in the queue. */
  readonly bodyBytes: number;
  /** Position in the admission queue; undefined while the request is not in the queue. Most requests never enter it. */
  queueKey: QueueKey | undefined;
}

/**
 * Position in the queue, and the owner of the work that waits there. The owner is a request, or a stretch of items claimed from the shared
 * queue.
 */
interface Turn {
  readonly queueKey: QueueKey;
  readonly owner: WorkOwner;
}

/** Queue of chunks in this process, and the consumer that evaluates the chunks. */
interface LocalChunks {
  readonly work: EmbeddedWork<WaitingWork>;
  readonly consumer: ChunkConsumer;
}

/**
 * Dispatcher of all work that waits for this process's engine: chunks of a queue in this process, and the work of synchronous requests.
 * When the engine accepts another task, the next task is chosen by flow, the queue of one client (docs/explanation/flow-control.md). The
 * duration of a request's work is unknown beforehand. The requests of one flow therefore never occupy all threads, unless the flow is
 * exempt or there is only one thread.
 */
export class Dispatcher {
  /** Fair queue of waiting chunks of this process and waiting work of requests. */
  readonly fair = new FairQueue<WaitingChunk | WaitingWork>();
  readonly #ports: DispatcherPorts;
  readonly #load = new FlowLoad();
  readonly #engineLoad: EngineLoad;
  readonly #freeSeats: FreeSeats;
  readonly #borrowedSeats: BorrowedSeats;
  readonly #mostOf: (entry: WaitingChunk | WaitingWork, flow: string) => number;
  #running = new Map<Level, number>();
  #chunks: LocalChunks | undefined;
  #opened = 0;

  constructor(ports: DispatcherPorts) {
    const { threads } = ports.engine;
    this.#ports = ports;
    this.#engineLoad = new EngineLoad(threads);
    this.#freeSeats = new FreeSeats(threads);
    const share = seatsPerFlow(threads);
    this.#borrowedSeats = new BorrowedSeats({
      threads,
      share,
      // While the engine takes more, nobody waits who is to be given a seat.
      isWanted: () => !this.#engineLoad.free && this.fair.waitsBelow(share),
    });
    this.#mostOf = (entry, flow) => {
      if (entry instanceof WaitingWork && entry.owner.kind === 'request') return Math.max(1, threads - 1);
      return this.#borrowedSeats.mayBorrow(flow) ? Infinity : share;
    };
  }

  /** Starts to evaluate the chunks that wait in {@link fair}. */
  serve(work: EmbeddedWork<WaitingWork>, consumer: ChunkConsumer): void {
    this.#chunks = { work, consumer };
    this.dispatch();
  }

  /** Stops taking chunks from the queue, and waits until the running chunks end. */
  async end(): Promise<void> {
    const chunks = this.#chunks;
    this.#chunks = undefined;
    await chunks?.consumer.end();
  }

  /** Returns access to the engine for one request. */
  open(flow: Flow, kind: RequestKind, bodyBytes: number): AdmittedEngine {
    const request: Request = { id: `request-${this.#opened++}`, flow, kind, bodyBytes, queueKey: undefined };
    return {
      threads: this.#ports.engine.threads,
      admit: () => this.#admit(request),
      leave: () => this.#leave(request),
      run: (work, settings) => {
        if (!request.queueKey) throw new Error('a request was not admitted before its work');
        return this.#wait({ queueKey: request.queueKey, owner: { kind: 'request' } }, work, settings);
      },
    };
  }

  /**
   * Returns access to the engine for a stretch of items that was claimed from the shared queue. Its work waits in turn with this process's
   * own work, as a chunk of its flow. The work may be requeued like a chunk.
   */
  openRun(claim: Claim): AdmittedEngine {
    const turn: Turn = {
      queueKey: { ...claim.queueKey, leaf: claim.lease },
      owner: { kind: 'run', itemMs: claim.expectedMs / Math.max(1, claim.chunk.items.length), isAlone: expectedMsOf(claim) === Infinity },
    };
    this.fair.add(turn.queueKey, 1);
    return {
      threads: this.#ports.engine.threads,
      admit: () => undefined,
      leave: () => this.#drop(turn.queueKey),
      run: (work, settings) => this.#wait(turn, work, settings),
    };
  }

  /**
   * Mean number of seats (threads of the engine) that the work of this process's own clients recently left free, with a fraction. Other
   * processes may send stretches of items for these seats.
   */
  get freeSeats(): number {
    return this.#freeSeats.free;
  }

  /**
   * Resolves when the engine accepts another task, or after `patienceMs` ms. In the second case, other work waits too, and the fair queue
   * chooses which task is next.
   */
  async whenFree(patienceMs: number): Promise<void> {
    if (this.#engineLoad.free) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, patienceMs)));
    await Promise.race([this.#engineLoad.whenFree(), late]);
    clearTimeout(timer);
  }

  /** Numbers of waiting and running tasks of requests, by level. Tasks that wait inside the engine count as running. */
  get depth(): Readonly<Record<Level, LevelGauges>> {
    const depth = LEVELS.map((level) => [level, { waiting: this.#load.waiting(level), running: this.#running.get(level) ?? 0 }]);
    return Object.fromEntries(depth) as Readonly<Record<Level, LevelGauges>>;
  }

  /** Number of waiting tasks of requests. */
  get waiting(): number {
    return this.#load.total.chunks;
  }

  /** Passes as many waiting tasks to the engine as it accepts now, in the order of the fair queue. */
  dispatch(): void {
    this.#give();
    this.#borrowedSeats.watch();
  }

  #give(): void {
    while (this.#engineLoad.free) {
      const picked = this.fair.pick(seatsPerFlow(this.#ports.engine.threads), this.#mostOf);
      if (!picked) return;
      if (isChunk(picked)) this.#judge(picked);
      // Work of a request that is over frees its seat at once.
      else if (!(picked.entry as WaitingWork).settle(picked as Picked<WaitingWork>)) this.fair.finish(picked, 0);
    }
  }

  #admit(request: Request): Declined | undefined {
    if (request.queueKey) return undefined;
    const { id, flow, kind, bodyBytes } = request;
    const queueKey = queueKeyOf({ id, createdAt: steadyNow(), flow });
    const refusal = this.#load.refusesEvaluation(queueKey, flow, this.#ports.limits);
    if (refusal) return this.#ports.refusals.refuse(flow.level, refusal, kind);
    request.queueKey = queueKey;
    this.#load.add(queueKey, { evaluations: 1, bytes: bodyBytes });
    this.fair.add(queueKey, 1);
    return undefined;
  }

  #leave(request: Request): void {
    const { queueKey, bodyBytes } = request;
    if (!queueKey) return;
    request.queueKey = undefined;
    this.#load.add(queueKey, { evaluations: -1, bytes: -bodyBytes });
    this.#drop(queueKey);
  }

  /** Removes a position from the queue. Work that waits at this position is answered as not run. */
  #drop(queueKey: QueueKey): void {
    for (const entry of this.fair.remove(queueKey)) if (entry instanceof WaitingWork) entry.settle();
  }

  /** Queues work and resolves to its answer. If `isBack` is true, the work was requeued and waits before all other work at its position. */
  #wait<One extends Work>(turn: Turn, work: One, settings?: RunSettings, isBack = false): Promise<RunAnswer<ResultOf<One>>> {
    const { queueKey, owner } = turn;
    const signal = settings?.signal;
    if (signal?.aborted) return Promise.resolve(NOT_RUN);
    return new Promise((resolve) => {
      const giveUp = (): void => void entry.settle();
      const entry = new WaitingWork(work, owner, (picked) => {
        signal?.removeEventListener('abort', giveUp);
        this.#load.add(queueKey, { chunks: -1, bytes: -entry.heldBytes });
        if (!picked) resolve(NOT_RUN);
        else if (owner.kind === 'run') void this.#runRequeueable(picked, turn, work, settings).then(resolve);
        else void this.#runOfRequest(picked, work, settings).then(resolve);
      });
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#load.add(queueKey, { chunks: 1, bytes: entry.heldBytes });
      if (!this.fair.enqueue(queueKey, entry, isBack)) entry.settle();
      this.dispatch();
    });
  }

  async #runOfRequest<One extends Work>(
    picked: Picked<WaitingWork>,
    work: One,
    settings: RunSettings | undefined,
  ): Promise<RunAnswer<ResultOf<One>>> {
    const { level } = picked.queueKey;
    const { counters, histograms } = this.#ports.telemetry.metrics;
    counters.dispatchedWork.add(1, { level });
    histograms.workWaitSeconds.record((performance.now() - picked.entry.queuedAt) / 1000, { level });
    this.#count(level, 1);
    // How long such work takes is not known: nothing is in hand behind it.
    const answer = await this.#occupy(picked, { expectedMs: Infinity }, work, settings);
    this.#count(level, -1);
    return answer;
  }

  /** Runs work that may use more than its flow's share of the threads. If the work is requeued, runs it again from the beginning. */
  async #runRequeueable<One extends Work>(
    picked: Picked<WaitingWork>,
    turn: Turn,
    work: One,
    settings: RunSettings | undefined,
  ): Promise<RunAnswer<ResultOf<One>>> {
    const requeue = new AbortController();
    const signal = settings?.signal ? AbortSignal.any([settings.signal, requeue.signal]) : requeue.signal;
    const expectedMs = turn.owner.kind === 'run' && turn.owner.isAlone ? Infinity : picked.entry.items;
    const answer = await this.#occupy(picked, { expectedMs, requeue: () => requeue.abort() }, work, { ...settings, signal });
    if (!requeue.signal.aborted || settings?.signal?.aborted === true || !wasStopped(answer)) return answer;
    this.#ports.telemetry.metrics.counters.chunksRequeued.add(1, { level: picked.queueKey.level });
    const again = await this.#wait(turn, work, settings, true);
    return { ...again, spentMs: again.spentMs + answer.spentMs };
  }

  /** Runs a task that was picked from the queue, and afterwards counts its seat (a thread of the engine) as free. */
  async #occupy<One extends Work>(
    picked: Picked<WaitingWork>,
    { expectedMs, requeue }: Occupation,
    work: One,
    settings: RunSettings | undefined,
  ): Promise<RunAnswer<ResultOf<One>>> {
    const flow = flowPath(picked.queueKey);
    const done = this.#engineLoad.take(expectedMs);
    const leave = picked.entry.owner.kind === 'request' ? this.#freeSeats.take() : undefined;
    const over = this.#borrowedSeats.take(flow, requeue);
    const answer = await this.#ports.engine.run(work, { ...settings, flow });
    done();
    leave?.();
    over();
    this.fair.finish(picked, answer.spentMs);
    this.dispatch();
    return answer;
  }

  /**
   * Claims a chunk that was picked from the queue, and starts its evaluation. The commit of the chunk reports the free seat (thread) to the
   * fair queue.
   */
  #judge(picked: Picked<WaitingChunk>): void {
    const claim = this.#chunks?.work.claimPicked(picked);
    if (!claim) return;
    const done = this.#engineLoad.take(expectedMsOf(claim));
    const leave = this.#freeSeats.take();
    const over = this.#borrowedSeats.take(flowPath(picked.queueKey), () => this.#chunks?.consumer.requeue(claim));
    void this.#chunks?.consumer.take(claim).finally(() => {
      done();
      leave();
      over();
      this.dispatch();
    });
  }

  #count(level: Level, by: number): void {
    this.#running.set(level, (this.#running.get(level) ?? 0) + by);
  }
}

/** Properties of a task that occupies a seat of the engine. */
interface Occupation {
  /** Expected time of the task in ms. */
  readonly expectedMs: number;
  /**
   * Cancels a task on a borrowed seat, so that the task returns to the queue. A seat is borrowed if the flow uses more threads than its
   * share.
   */
  readonly requeue?: () => void;
}

/** Returns true if a task was stopped before all of its items were evaluated. */
function wasStopped(answer: RunAnswer<unknown>): boolean {
  if (answer.kind !== 'done') return answer.kind === 'cancelled';
  const { result } = answer;
  return typeof result === 'object' && result !== null && 'tally' in result && (result as ChunkResult).tally.cancelled > 0;
}
