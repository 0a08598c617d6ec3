import { chunkBytes, hasBudget } from '#documents';
import { FairQueue, flowPath, MS_PER_BYTE, queueKeyOf, seatsPerFlow } from '../flow/index.ts';
import type { Flow, FlowLoad, PickedEntry, QueueKey } from '../flow/index.ts';
import { judgedMsOf, NOT_RUN, wasStopped } from '../engine.ts';
import type { RunAnswer, RunSettings } from '../engine.ts';
import type { EvaluateWork, ResultOf, Work } from '../protocol.ts';
import type { QueuedEngine, BatchEngine, BatchWork } from './queued-engine.ts';
import { AdmittedRequest, openBatch, worthSending } from './admitted-request.ts';
import type { DispatcherPorts, DispatcherQueue } from './admitted-request.ts';
import { BorrowedSeats } from './borrowed-seats.ts';
import { EngineLoad, FreeSeats } from './engine-load.ts';
import type { RequestKind } from './refusals.ts';
import { WaitingWork, WorkAccount } from './work-account.ts';
import type { RunOwner, Turn, DispatcherDepth, Position } from './work-account.ts';

/** Run of consecutive items that another process offered. */
export interface OfferedRun {
  readonly queueKey: QueueKey;
  /** Name of the offer, which no other offer has. */
  readonly id: string;
  /** Expected time of the run on a thread, in ms. */
  readonly expectedMs: number;
  readonly work: Pick<EvaluateWork, 'items' | 'settings'>;
}

/** Stored job: an evaluation that continues after its request. */
export interface QueuedJob {
  readonly id: string;
  /** Time at which the job was created, in epoch ms. Of two jobs of a flow with the same charges, the older one is served first. */
  readonly createdAt: number;
  readonly flow: Flow;
}

/**
 * Dispatcher of all work of this process's engine. When the engine accepts another task, the next task is chosen by flow, the queue of one
 * client (docs/explanation/flow-control.md). The work of a request takes an unknown time, so the requests of one flow never occupy all
 * threads. The exceptions are exempt flows, and an engine with one thread. A run of a batch may occupy all threads, because it can be
 * requeued.
 */
export class Dispatcher {
  readonly #account: WorkAccount;
  readonly #fair = new FairQueue<WaitingWork>();
  readonly #ports: DispatcherPorts;
  readonly #engineLoad: EngineLoad;
  readonly #freeSeats: FreeSeats;
  readonly #borrowedSeats: BorrowedSeats;
  readonly #maxPerFlow: (entry: WaitingWork, flow: string) => number;
  readonly #queue: DispatcherQueue;
  #opened = 0;

  constructor(ports: DispatcherPorts) {
    const { threads } = ports.engine;
    this.#ports = ports;
    this.#account = new WorkAccount(ports.load);
    this.#engineLoad = new EngineLoad(threads);
    this.#freeSeats = new FreeSeats(threads);
    const share = seatsPerFlow(threads);
    this.#borrowedSeats = new BorrowedSeats({
      threads,
      share,
      // While the engine still accepts tasks, no waiting flow needs a borrowed seat back.
      isWanted: () => !this.#engineLoad.free && this.#fair.waitsBelow(share),
    });
    this.#maxPerFlow = ({ owner }, flow) => {
      if (owner.kind === 'request') return Math.max(1, threads - 1);
      return this.#borrowedSeats.mayBorrow(flow) ? Infinity : share;
    };
    this.#queue = {
      ports,
      account: this.#account,
      add: (queueKey, itemMs) => this.#fair.add(queueKey, itemMs),
      drop: (queueKey) => this.#drop(queueKey),
      wait: (at, work, settings) => this.#wait(at, work, settings),
    };
  }

  /** Account of all work that waits in this process. It decides which requests are refused. */
  get load(): FlowLoad {
    return this.#account.load;
  }

  /** Depth of the work of requests. Tasks that wait inside the engine count as running. */
  get requests(): DispatcherDepth {
    return this.#account.requests;
  }

  /** Depth of the runs of batches, also of the parts of jobs that are stored in this process. */
  get runs(): DispatcherDepth {
    return this.#account.runs;
  }

  /** Returns access to the engine for one request. */
  open(flow: Flow, kind: RequestKind, bodyBytes: number): QueuedEngine {
    return new AdmittedRequest(this.#queue, `request-${this.#opened++}`, flow, kind, bodyBytes);
  }

  /** Returns the engine for the runs of a stored job. They wait in turn, as all other work. The storage has admitted the job. */
  openJob(job: QueuedJob, batch: Omit<BatchWork, 'whole'>): BatchEngine {
    // A job may begin again while the work of an earlier start still ends, so each start gets its own queue key.
    const queueKey = queueKeyOf({ ...job, id: `${job.id}-${this.#opened++}` });
    return openBatch(this.#queue, { flow: job.flow, queueKey, isStored: true }, { ...batch, whole: undefined });
  }

  /** Returns access to the engine for a run of another process. The run waits in turn, as all other work. */
  openRun({ queueKey, id, expectedMs, work: { items, settings } }: OfferedRun): Pick<QueuedEngine, 'run' | 'leaveQueue'> {
    const isAlone = hasBudget(settings);
    const owner: RunOwner = { kind: 'run', isAlone, origin: 'offer', priced: undefined, mayLeave: false, holder: undefined };
    const at: Position = { queueKey: { ...queueKey, leaf: id }, owner };
    this.#fair.add(at.queueKey, Math.max(0, expectedMs - chunkBytes(items) * MS_PER_BYTE) / Math.max(1, items.length));
    return { leaveQueue: () => this.#drop(at.queueKey), run: (work, settings) => this.#wait(at, work, settings) };
  }

  /**
   * Mean number of engine threads that the work of this process's own clients recently left free, with a fraction. Other processes may send
   * stretches of items for these threads.
   */
  get freeSeats(): number {
    return this.#freeSeats.free;
  }

  /** Passes as many waiting tasks to the engine as it accepts now, in the order of the fair queue. */
  #dispatch(): void {
    while (this.#engineLoad.free) {
      const picked = this.#fair.pick(seatsPerFlow(this.#ports.engine.threads), this.#maxPerFlow);
      if (!picked) break;
      this.#begin(picked, 'here');
    }
    this.#dispatchElsewhere();
    this.#borrowedSeats.watch();
  }

  /** Offers waiting runs to other processes while they have free seats. The next run that this process has a thread for stays here. */
  #dispatchElsewhere(): void {
    const { elsewhere } = this.#ports;
    if (elsewhere === undefined) return;
    while (!this.#fair.isEmpty && elsewhere.hasRoom) {
      const picked = this.#fair.pick(0, worthSending);
      if (!picked) break;
      this.#begin(picked, 'elsewhere');
    }
  }

  /** Tells waiting work that its turn has come. Work of a request that has ended frees its seat at once. */
  #begin(picked: PickedEntry<WaitingWork>, place: 'here' | 'elsewhere'): void {
    if (!picked.entry.settle({ picked, place })) this.#fair.finish(picked, 0);
  }

  /** Removes a position from the queue. Work that waits at this position is answered as not run. */
  #drop(queueKey: QueueKey): void {
    for (const entry of this.#fair.remove(queueKey)) entry.settle();
  }

  /** Queues work and resolves to its answer. If `as` is `returned`, the work waits before all other work at its position. */
  #wait<One extends Work>(
    at: Position,
    work: One,
    settings: RunSettings = {},
    as: 'new' | 'returned' = 'new',
  ): Promise<RunAnswer<ResultOf<One>>> {
    const { queueKey, owner } = at;
    const { signal } = settings;
    if (signal?.aborted) return Promise.resolve(NOT_RUN);
    return new Promise((resolve) => {
      const giveUp = (): void => void entry.settle();
      const entry = new WaitingWork(work, owner, settings.alone === true, (turn) => {
        signal?.removeEventListener('abort', giveUp);
        this.#account.addWaiting(at, entry, -1);
        if (!turn) resolve(NOT_RUN);
        else if (owner.kind === 'request') void this.#runOfRequest(turn.picked, work, settings).then(resolve);
        else void this.#runOfBatch(turn, { ...at, owner }, work, settings).then(resolve);
      });
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#account.addWaiting(at, entry, 1);
      if (!this.#fair.enqueue(queueKey, entry, as)) entry.settle();
      this.#dispatch();
    });
  }

  async #runOfRequest<One extends Work>(
    picked: PickedEntry<WaitingWork>,
    work: One,
    settings: RunSettings | undefined,
  ): Promise<RunAnswer<ResultOf<One>>> {
    const { level } = picked.queueKey;
    const { counters, histograms } = this.#ports.telemetry.metrics;
    counters.dispatchedWork.add(1, { level });
    histograms.workWaitSeconds.record((performance.now() - picked.entry.queuedAt) / 1000, { level });
    // Nobody knows how long the work of a request takes, so no task may wait behind it in the engine.
    const answer = await this.#occupy(picked, { expectedMs: Infinity }, work, settings);
    this.#dispatch();
    return answer;
  }

  /** Runs a run of a batch, here or in another process. If it comes back, it waits for its next turn. */
  async #runOfBatch<One extends Work>(
    { picked, place }: Turn,
    at: Position<RunOwner>,
    work: One,
    settings: RunSettings,
  ): Promise<RunAnswer<ResultOf<One>>> {
    const { level } = picked.queueKey;
    const { counters, histograms } = this.#ports.telemetry.metrics;
    if (at.owner.origin !== 'offer') {
      counters.dispatchedChunks.add(1, { level });
      histograms.waitSeconds.record((performance.now() - picked.entry.queuedAt) / 1000, { level });
    }
    const { answer, isBack } =
      place === 'here' ? await this.#runHere(picked, at.owner, work, settings) : await this.#runElsewhere(picked, at.owner, work, settings);
    if (!isBack || settings.signal?.aborted === true) {
      this.#dispatch();
      return answer;
    }
    if (place === 'here') counters.chunksRequeued.add(1, { level });
    const again = await this.#wait(at, work, settings, 'returned');
    return { ...again, spentMs: again.spentMs + answer.spentMs };
  }

  /** Runs a run on the engine. It may use more than its flow's share of the threads, and comes back if another flow needs them. */
  async #runHere<One extends Work>(
    picked: PickedEntry<WaitingWork>,
    { isAlone }: RunOwner,
    work: One,
    { signal, ...settings }: RunSettings,
  ): Promise<EndedRun<One>> {
    const stop = new AbortController();
    let isRequeued = false;
    const requeue = (): void => {
      isRequeued = true;
      stop.abort();
    };
    const giveUp = (): void => stop.abort(signal?.reason);
    signal?.addEventListener('abort', giveUp, { once: true });
    const expectedMs = isAlone ? Infinity : picked.expectedMs;
    const answer = await this.#occupy(picked, { expectedMs, requeue }, work, { ...settings, signal: stop.signal });
    signal?.removeEventListener('abort', giveUp);
    return { answer, isBack: isRequeued && wasStopped(answer) };
  }

  /** Offers a run to other processes. If no process performs the run, the result has `isBack` set, and the run waits for its next turn here. */
  async #runElsewhere<One extends Work>(
    picked: PickedEntry<WaitingWork>,
    { holder }: RunOwner,
    work: One,
    settings: RunSettings,
  ): Promise<EndedRun<One>> {
    const { elsewhere } = this.#ports;
    if (elsewhere === undefined) throw new Error('there is no other process');
    const { queueKey, expectedMs } = picked;
    this.#account.addRunning(picked.entry.owner, queueKey.level, 1);
    const answer = await elsewhere.run(work, { queueKey, expectedMs, holder }, settings);
    this.#account.addRunning(picked.entry.owner, queueKey.level, -1);
    this.#learn(picked, answer);
    return { answer, isBack: answer.kind === 'cancelled' };
  }

  /** Runs a task that was picked from the queue, and afterwards counts its seat (a thread of the engine) as free. */
  async #occupy<One extends Work>(
    picked: PickedEntry<WaitingWork>,
    { expectedMs, requeue }: Occupation,
    work: One,
    settings: RunSettings | undefined,
  ): Promise<RunAnswer<ResultOf<One>>> {
    const { queueKey, entry } = picked;
    const flow = flowPath(queueKey);
    const done = this.#engineLoad.take(expectedMs);
    const isOwn = entry.owner.kind === 'request' || entry.owner.origin !== 'offer';
    const leave = isOwn ? this.#freeSeats.take() : undefined;
    const over = this.#borrowedSeats.take(flow, requeue);
    this.#account.addRunning(entry.owner, queueKey.level, 1);
    const answer = await this.#ports.engine.run(work, { ...settings, flow });
    this.#account.addRunning(entry.owner, queueKey.level, -1);
    done();
    leave?.();
    over();
    this.#learn(picked, answer);
    return answer;
  }

  /** Charges the flow with the time that a task took. Corrects the expected time of the batch's items, and the price of its definition. */
  #learn(picked: PickedEntry<WaitingWork>, answer: RunAnswer<unknown>): void {
    const { queueKey, entry } = picked;
    this.#fair.finish(picked, answer.spentMs, entry.owner.kind === 'run' ? judgedMsOf(answer) : undefined);
    if (entry.owner.kind === 'request' || entry.owner.priced === undefined) return;
    const itemMs = this.#fair.itemMs(queueKey);
    if (itemMs !== undefined) this.#ports.prices.set(entry.owner.priced, itemMs);
  }
}

/** Answer to a run of a batch, and true if the run must wait for another turn. */
interface EndedRun<One extends Work> {
  readonly answer: RunAnswer<ResultOf<One>>;
  readonly isBack: boolean;
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
