import { DelayedError, Queue, Worker } from 'bullmq';
import type { Job } from 'bullmq';
import { inTime } from '../in-time.ts';
import type { StudyFleet, StudyTurns, TurnEnd } from '../study-fleet.ts';
import type { StudyForms } from '../study-store.ts';
import type { RedisConnections } from './connections.ts';
import { RedisStudyStore, studyChannel } from './redis-study-store.ts';
import type { RedisStore } from './redis-store.ts';

const STUDIES = 'studies';
/** Time in ms after which a study (search for expensive objects) is offered again, if another study of its flow (client) is running. */
const FLOW_BUSY_MS = 500;
/** Time in ms for which a flow (client) with a running study counts as busy after the process last renewed the flow's lock. */
const FLOW_MS = 15_000;
/**
 * Maximum number of attempts for a study, and the delay between attempts in ms. An attempt fails if
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
/** Time in ms within which running studies must stop when this process ends. */
const STOP_MS = 1000;
/** Id that represents all studies (searches for expensive objects) on the channel of changes. */
const ALL_STUDIES = 'studies';

/**
 * Data of the BullMQ job for a study (search for expensive objects): the flow (client) of the study. Operators can view this data in a
 * dashboard.
 */
interface StudyJob {
  readonly flow: string;
}

/**
 * Fleet of processes that run studies (searches for expensive objects) over Redis. A study is a BullMQ job. Its documents are stored under
 * separate keys, because BullMQ writes job data into its event stream. If a process dies, its locks expire and BullMQ passes its jobs to
 * another process. The cells (parts) of a study are offered to other processes by `FleetEngine`.
 */
export class RedisStudyFleet<Forms extends StudyForms> implements StudyFleet<Forms> {
  readonly store: RedisStudyStore<Forms>;
  readonly #store: RedisStore;
  readonly #connections: RedisConnections;
  readonly #studies: Queue<StudyJob>;
  #worker: Worker | undefined;
  #promoting: NodeJS.Timeout | undefined;

  constructor(store: RedisStore, connections: RedisConnections) {
    this.#store = store;
    this.#connections = connections;
    this.store = new RedisStudyStore(store);
    const prefix = store.keys.bullmq;
    this.#studies = new Queue(STUDIES, { connection: store.redis, prefix });
    this.#studies.on('error', () => undefined);
  }

  async offer(id: string, flow: string): Promise<void> {
    const options = { jobId: id, ...LEAVES_NOTHING, ...AGAIN };
    await this.#store.gate.whileAnswering(() => this.#studies.add('study', { flow }, options));
    await this.#store.redis.publish(this.#store.keys.changes, ALL_STUDIES);
  }

  /**
   * Starts a worker when the first study (search for expensive objects) exists, so that processes without studies cause no load on Redis.
   * Returns a function that stops the worker.
   */
  serve(turns: StudyTurns): () => Promise<void> {
    const stop = new AbortController();
    const look = async (): Promise<void> => {
      if ((await this.store.hasAny()) && this.#worker === undefined && !stop.signal.aborted) this.#begin(turns, stop.signal);
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
      await inTime(STOP_MS, this.#worker?.close() ?? Promise.resolve()).catch(() => undefined);
    };
  }

  #begin({ studies, performStudy }: StudyTurns, stopped: AbortSignal): void {
    const promote = (): void => void this.#studies.promoteJobs().catch(() => undefined);
    this.#promoting = setInterval(promote, PROMOTE_MS).unref();
    const { leaseMs } = this.#store.limits;
    const perform = async (job: Job<StudyJob>, token: string | undefined): Promise<undefined> => {
      const id = job.id ?? '';
      const end = await this.#whileFlowIsFree(job.data.flow, id, () =>
        this.#untilStopped(studyChannel(id), stopped, (signal) => performStudy(id, signal)),
      );
      if (end === 'over') return undefined;
      await job.moveToDelayed(Date.now() + FLOW_BUSY_MS, token);
      throw new DelayedError();
    };
    const worker = new Worker<StudyJob, undefined>(STUDIES, perform, {
      connection: this.#connections.open('waiting'),
      prefix: this.#store.keys.bullmq,
      concurrency: studies,
      lockDuration: leaseMs,
      stalledInterval: leaseMs,
      maxStalledCount: MOST_STALLED,
      drainDelay: 10,
    });
    worker.on('error', () => undefined);
    this.#worker = worker;
  }

  async cancel(id: string): Promise<void> {
    await this.#store.gate.whileAnswering(() => this.#store.redis.publish(this.#store.keys.cancellations, studyChannel(id)));
  }

  changed(id: string, signal: AbortSignal): Promise<void> {
    return this.#store.announcements.nextChange(studyChannel(id), signal);
  }

  async close(): Promise<void> {
    clearInterval(this.#promoting);
    await this.#worker?.close(true).catch(() => undefined);
    await this.#studies.close().catch(() => undefined);
  }

  /** Runs `work` with a signal that is aborted if a cancellation arrives on `channel` or if `stopped` is aborted. */
  async #untilStopped<Answer>(channel: string, stopped: AbortSignal, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const cancelled = new AbortController();
    const stopListening = this.#store.announcements.onCancelled((id) => {
      if (id === channel) cancelled.abort();
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
}
