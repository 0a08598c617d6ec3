import { DelayedError, Queue, QueueEvents, Worker } from 'bullmq';
import type { Job } from 'bullmq';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { inTime } from '../in-time.ts';
import type { CellAnswer, SharedCell, StudyFleet, StudyTurns, TurnEnd } from '../study-fleet.ts';
import type { StudyForms } from '../study-store.ts';
import type { RedisConnections } from './connections.ts';
import { RedisStudyStore, studyChannel } from './redis-study-store.ts';
import type { RedisStore } from './redis-store.ts';

const [STUDIES, CELLS] = ['studies', 'cells'] as const;
/** Time in ms after which a study (search for expensive objects) is offered again, if another study of its flow (client) is running. */
const FLOW_BUSY_MS = 500;
/** Time in ms for which a flow (client) with a running study counts as busy after the process last renewed the flow's lock. */
const FLOW_MS = 15_000;
/**
 * Maximum number of attempts for a study, or for a cell (one part) of a study, and the delay between attempts in ms. An attempt fails if
 * Redis fails, and BullMQ offers the job again. The service has a separate limit for the number of times that a study begins.
 */
const AGAIN = { attempts: 1000, backoff: { type: 'fixed', delay: 500 } } as const;
/**
 * Interval in ms at which all delayed jobs are offered immediately, whatever their delay. Without this, a process whose clock is an hour
 * ahead would delay jobs by an hour.
 */
const PROMOTE_MS = 5000;
/** Number of times that a job's lock may be lost before BullMQ drops the job. */
const MOST_STALLED = 1000;
/** Job options that remove a job from BullMQ when it ends. */
const LEAVES_NOTHING = { removeOnComplete: true, removeOnFail: true } as const;
/**
 * Times for a cell (one part of a study). The first is the time in seconds for which its work and answer are kept. The second is the
 * maximum time in ms for which the sender waits.
 */
const [CELL_SECONDS, CELL_MS] = [600, 120_000] as const;
/** Time in ms within which running studies and cells (units of work of studies) must stop when this process ends. */
const STOP_MS = 1000;
/** Interval in ms at which the process that sent a cell (one part of a study) checks for the answer. */
const LOOK_MS = 1000;

/** Id that represents all studies (searches for expensive objects) on the channel of changes. */
const ALL_STUDIES = 'studies';

/**
 * Data of the BullMQ job for a study (search for expensive objects): the flow (client) of the study. Operators can view this data in a
 * dashboard.
 */
interface StudyJob {
  readonly flow: string;
}
interface CellJob {
  readonly study: string;
  readonly cell: string;
}

/**
 * Fleet of processes that run studies (searches for expensive objects) over Redis. A study is a BullMQ job, and its cells (parts) are
 * children of that job. Documents, work and answers are stored under separate keys, because BullMQ writes job data and return values into
 * its event stream. If a process dies, its locks expire and BullMQ passes its jobs to another process.
 */
export class RedisStudyFleet<Forms extends StudyForms> implements StudyFleet<Forms> {
  readonly store: RedisStudyStore<Forms>;
  readonly node = `${hostname()}/${process.pid}`;
  readonly #store: RedisStore;
  readonly #connections: RedisConnections;
  readonly #studies: Queue<StudyJob>;
  readonly #cells: Queue<CellJob>;
  /** Events about finished cells (parts of studies). Undefined until this process sends its first cell. */
  #events: QueueEvents | undefined;
  readonly #workers = new Set<Worker>();
  #promoting: NodeJS.Timeout | undefined;

  constructor(store: RedisStore, connections: RedisConnections) {
    this.#store = store;
    this.#connections = connections;
    this.store = new RedisStudyStore(store);
    const prefix = store.keys.bullmq;
    this.#studies = new Queue(STUDIES, { connection: store.redis, prefix });
    this.#cells = new Queue(CELLS, { connection: store.redis, prefix });
    this.#studies.on('error', () => undefined);
    this.#cells.on('error', () => undefined);
  }

  async offer(id: string, flow: string): Promise<void> {
    const options = { jobId: id, ...LEAVES_NOTHING, ...AGAIN };
    await this.#store.gate.whileAnswering(() => this.#studies.add('study', { flow }, options));
    await this.#store.redis.publish(this.#store.keys.changes, ALL_STUDIES);
  }

  /**
   * Starts workers when the first study (search for expensive objects) exists, so that processes without studies cause no load on Redis.
   * Returns a function that stops the workers.
   */
  serve(turns: StudyTurns): () => Promise<void> {
    const stop = new AbortController();
    const look = async (): Promise<void> => {
      if ((await this.store.hasAny()) && this.#workers.size === 0 && !stop.signal.aborted) this.#begin(turns, stop.signal);
    };
    // If Redis is away, its return is a change.
    const lookSafely = (): void => void look().catch(() => undefined);
    const stopListening = this.#store.announcements.onChange(ALL_STUDIES, lookSafely);
    lookSafely();
    return async () => {
      stopListening();
      clearInterval(this.#promoting);
      stop.abort();
      // A Redis that does not answer hands the jobs to others, since their locks run out.
      await inTime(STOP_MS, Promise.all(Array.from(this.#workers, (worker) => worker.close()))).catch(() => undefined);
    };
  }

  #begin({ studies, cells, performStudy, performCell }: StudyTurns, stopped: AbortSignal): void {
    const promote = (): void => {
      for (const queue of [this.#studies, this.#cells]) void queue.promoteJobs().catch(() => undefined);
    };
    this.#promoting = setInterval(promote, PROMOTE_MS).unref();
    this.#work<StudyJob>(STUDIES, studies, async (job, token) => {
      const id = job.id ?? '';
      const end = await this.#whileFlowIsFree(job.data.flow, id, () =>
        this.#untilStopped([studyChannel(id)], stopped, (signal) => performStudy(id, signal)),
      );
      if (end === 'over') return;
      await job.moveToDelayed(Date.now() + FLOW_BUSY_MS, token);
      throw new DelayedError();
    });
    this.#work<CellJob>(CELLS, cells, async (job, token) => {
      if ((await this.#performCell(job.data, stopped, performCell)) === 'over') return;
      await job.moveToDelayed(Date.now() + 1, token);
      throw new DelayedError();
    });
  }

  async others(): Promise<number> {
    const { redis, keys, gate } = this.#store;
    const consumers = await gate.whileAnswering(() => redis.hlen(keys.seats));
    return Math.max(0, consumers - (this.#workers.size > 0 ? 1 : 0));
  }

  async perform({ study, cell, work }: SharedCell, signal: AbortSignal): Promise<CellAnswer | undefined> {
    const id = `${study}-${cell}`;
    const { redis } = this.#store;
    await redis.set(this.#cellKey(id, 'work'), this.#store.sealing.pack('study', work), 'EX', CELL_SECONDS);
    // A job that waits finds no work any more, and a process that works is told.
    const stop = (): void => {
      void redis.del(this.#cellKey(id, 'work')).catch(() => undefined);
      void redis.publish(this.#store.keys.cancellations, cellsChannel(study)).catch(() => undefined);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      const parent = { id: study, queue: this.#studies.qualifiedName };
      const options = { jobId: id, parent, ...LEAVES_NOTHING, ...AGAIN, removeDependencyOnFailure: true };
      const job = await this.#cells.add('cell', { study, cell }, options);
      await this.#finished(job, this.#cellKey(id, 'answer'));
      const answer = await redis.getBuffer(this.#cellKey(id, 'answer'));
      await redis.del(this.#cellKey(id, 'work'), this.#cellKey(id, 'answer'));
      return answer ? (this.#store.sealing.unpack('study', answer) as CellAnswer) : undefined;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /**
   * Waits until a cell (one part of a study) is finished. Also polls the answer and the state of the job, because events and jobs can be
   * lost.
   */
  async #finished(job: Job<CellJob>, answerKey: string): Promise<void> {
    const isOver = async (): Promise<boolean> => (await this.#store.redis.exists(answerKey)) === 1 || (await job.getState()) === 'unknown';
    const finished = job.waitUntilFinished(this.#cellEvents, CELL_MS).then(
      () => true,
      () => true,
    );
    while (!(await Promise.race([finished, setTimeout(LOOK_MS, false, { ref: false })]))) if (await isOver().catch(() => false)) return;
  }

  get #cellEvents(): QueueEvents {
    if (this.#events) return this.#events;
    const events = new QueueEvents(CELLS, { connection: this.#connections.open('waiting'), prefix: this.#store.keys.bullmq });
    events.on('error', () => undefined);
    this.#events = events;
    return events;
  }

  async cancel(id: string): Promise<void> {
    await this.#store.gate.whileAnswering(() => this.#store.redis.publish(this.#store.keys.cancellations, studyChannel(id)));
  }

  changed(id: string, signal: AbortSignal): Promise<void> {
    return this.#store.announcements.nextChange(studyChannel(id), signal);
  }

  async close(): Promise<void> {
    clearInterval(this.#promoting);
    await Promise.allSettled(Array.from(this.#workers, (worker) => worker.close(true)));
    await Promise.allSettled([this.#studies.close(), this.#cells.close(), this.#events?.close()]);
  }

  async #performCell({ study, cell }: CellJob, stopped: AbortSignal, perform: StudyTurns['performCell']): Promise<TurnEnd> {
    const id = `${study}-${cell}`;
    const { redis } = this.#store;
    const work = await redis.getBuffer(this.#cellKey(id, 'work'));
    if (!work) return 'over';
    const answer = await this.#untilStopped([studyChannel(study), cellsChannel(study)], stopped, (signal) =>
      perform(this.#store.sealing.unpack('study', work), signal),
    );
    if (stopped.aborted) return 'again';
    // A process that was thought to be gone comes too late: the first answer counts.
    await redis.set(this.#cellKey(id, 'answer'), this.#store.sealing.pack('study', { node: this.node, answer }), 'EX', CELL_SECONDS, 'NX');
    return 'over';
  }

  /** Runs `work` with a signal that is aborted if a cancellation arrives on one of `channels` or if `stopped` is aborted. */
  async #untilStopped<Answer>(
    channels: readonly string[],
    stopped: AbortSignal,
    work: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const cancelled = new AbortController();
    const stopListening = this.#store.announcements.onCancelled((id) => {
      if (channels.includes(id)) cancelled.abort();
    });
    try {
      return await work(AbortSignal.any([stopped, cancelled.signal]));
    } finally {
      stopListening();
    }
  }

  /**
   * Runs `work` while this process holds the lock of `flow` (one client), so that no other study of the flow runs in any process. Returns
   * `again` without running `work` if another study holds the lock.
   */
  async #whileFlowIsFree(flow: string, id: string, work: () => Promise<TurnEnd>): Promise<TurnEnd> {
    const { redis, keys } = this.#store;
    const key = `${keys.prefix}:study-flow:${flow}`;
    if ((await redis.set(key, id, 'PX', FLOW_MS, 'NX')) === null && (await redis.get(key)) !== id) return 'again';
    let heldUntil = performance.now() + FLOW_MS;
    const renew = async (): Promise<void> => {
      const requestedAt = performance.now();
      if ((await redis.pexpire(key, FLOW_MS)) === 1) heldUntil = requestedAt + FLOW_MS;
    };
    const renewing = setInterval(() => void renew().catch(() => undefined), FLOW_MS / 3);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      // After a longer silence of this process the key may be that of another study. It runs out by itself.
      if (performance.now() < heldUntil - FLOW_MS / 3) await redis.del(key).catch(() => undefined);
    }
  }

  #work<Data>(name: string, concurrency: number, perform: (job: Job<Data>, token: string | undefined) => Promise<void>): void {
    if (concurrency <= 0) return;
    const { leaseMs } = this.#store.limits;
    const worker = new Worker<Data, undefined>(
      name,
      async (job, token) => {
        await perform(job, token);
        return undefined;
      },
      {
        connection: this.#connections.open('waiting'),
        prefix: this.#store.keys.bullmq,
        concurrency,
        lockDuration: leaseMs,
        stalledInterval: leaseMs,
        maxStalledCount: MOST_STALLED,
        drainDelay: 10,
      },
    );
    worker.on('error', () => undefined);
    this.#workers.add(worker);
  }

  #cellKey(id: string, part: 'work' | 'answer'): string {
    return `${this.#store.keys.prefix}:study-cell:${id}:${part}`;
  }
}

/**
 * Returns the id of the channel on which a message stops the cells (units of work) of a study. The study itself may continue in another
 * process.
 */
const cellsChannel = (study: string): string => `cells/${study}`;
