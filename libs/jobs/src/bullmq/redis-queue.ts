import type { ContentKey } from '../at-rest/read-secrets.ts';
import { Sealing } from '../at-rest/sealing.ts';
import { inTime } from '../unavailable.ts';
import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import type { QueueLimits } from '../limits.ts';
import { EVALUATION_JOBS } from '../life/evaluation-jobs.ts';
import type { JobKind } from '../life/job-kind.ts';
import type {
  DefinitionStore,
  EvaluationForms,
  JobForms,
  JobLine,
  JobQueue,
  PriceStore,
  QueueAdapter,
  TokenStore,
  EndedJob,
} from '../ports.ts';
import { RedisConnections } from './connections.ts';
import type { RedisTrouble } from './connections.ts';
import type { RedisAddress } from './redis-address.ts';
import { RedisDefinitions, RedisPrices } from './redis-definitions.ts';
import { RedisJobs } from './redis-jobs.ts';
import { RedisLines, namedJobs } from './redis-lines.ts';
import { RedisOffers } from './redis-offers.ts';
import { RedisSeats } from './redis-seats.ts';
import { RedisStore } from './redis-store.ts';
import { RedisThreadTime, RedisTokens } from './redis-quotas.ts';
import { randomUUID } from 'node:crypto';
import { steadyNow } from '#documents';
import { HEARTBEAT } from './lua/commands.ts';

/**
 * Time in ms between the deadline of a job and its cancellation by a heartbeat. During this time, the process that performs the job may still
 * store results.
 */
const DEADLINE_GRACE_MS = 10_000;

/** Time in ms after a step of a submission at which a job that is not whole is cancelled. A step that fails is not repeated for so long. */
const STEP_MS = 60_000;

/** Factor by which the interval between heartbeats grows while no job lives. */
const IDLE_BEATS = 10;

/**
 * Heartbeats of a process. Each reports the seats of the process and repairs the stored state, unless another process just did. Its
 * reply names the jobs that ended without a reply to another call, and the jobs that BullMQ does not have.
 */
class Heartbeat {
  readonly #store: RedisStore;
  readonly #seats: RedisSeats;
  readonly #lines: Pick<RedisLines, 'add' | 'serveLines'>;
  readonly #stopListening: () => void;
  /** Timer of the next heartbeat, and the time in ms at which it fires, by the steady clock. Undefined if no heartbeat is scheduled. */
  #next: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  #isClosed = false;
  /** True if no job lived at the last heartbeat. */
  #isIdle = false;

  constructor(store: RedisStore, seats: RedisSeats, lines: Pick<RedisLines, 'add' | 'serveLines'>) {
    this.#store = store;
    this.#seats = seats;
    this.#lines = lines;
    this.#stopListening = store.stirred.add(() => this.#beatWithin(store.limits.heartbeatMs));
    this.#beatWithin(store.limits.heartbeatMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#stopListening();
    clearTimeout(this.#next?.timer);
  }

  /** Schedules a heartbeat in `ms` milliseconds, unless an earlier heartbeat is already scheduled. */
  #beatWithin(ms: number): void {
    const at = steadyNow() + ms;
    if (this.#isClosed || (this.#next && this.#next.at <= at)) return;
    clearTimeout(this.#next?.timer);
    this.#next = { at, timer: setTimeout(() => void this.#beatAgain(), ms).unref() };
  }

  async #beatAgain(): Promise<void> {
    // New work during this heartbeat must be able to schedule the next one, even if this one finds nothing to do.
    this.#next = undefined;
    this.#isIdle = await this.#beat().catch(() => false);
    this.#beatWithin(this.#intervalMs);
  }

  get #intervalMs(): number {
    const { heartbeatMs } = this.#store.limits;
    return this.#isIdle ? IDLE_BEATS * heartbeatMs : heartbeatMs;
  }

  /** Performs one heartbeat. Returns true if no job lives. */
  async #beat(): Promise<boolean> {
    const { heartbeatMs } = this.#store.limits;
    const answer = await this.#store.scripts.run(HEARTBEAT, {
      consumers: this.#seats.report(heartbeatMs, IDLE_BEATS * heartbeatMs),
      periodMs: Math.round(0.9 * this.#intervalMs),
      graceMs: DEADLINE_GRACE_MS,
      stepMs: STEP_MS,
      nonce: randomUUID(),
    });
    const [living, , ends, named, lines, seats] = answer as readonly unknown[];
    for (const ended of endedOf(wordsOf(ends))) this.#store.ended.notify(ended);
    this.#seats.receiveCounts(wordsOf(seats));
    this.#lines.serveLines(wordsOf(lines));
    void this.#lines.add(namedJobs(wordsOf(named)));
    return Number(living) === 0;
  }
}

const wordsOf = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map(String) : []);

/** Returns the ended jobs from an answer of the Lua script `heartbeat`. In this answer, each id is followed by the kind of its end. */
function endedOf(words: readonly string[]): readonly EndedJob[] {
  return words.flatMap((id, i) => (i % 2 === 0 ? [{ id, end: words[i + 1] === 'cancelled' ? 'cancelled' : 'lost' }] : []));
}

/** Time in ms for which closing a queue waits for Redis. */
const CLOSING_MS = 2000;

/** Options of a queue over Redis. */
export interface RedisQueueOptions {
  /** Name that separates installations and tests that share a server. */
  readonly namespace?: string;
  readonly limits?: QueueLimits;
  /** Keys that encrypt content before it is stored. If there are no keys, content is stored unencrypted. */
  readonly contentKeys?: readonly ContentKey[];
  /** Called with reports about the connections to Redis. */
  readonly report?: (trouble: RedisTrouble) => void;
  /** Called after a repair, with the names of the repaired keys and the ids of the lost jobs. */
  readonly repaired?: (names: readonly string[]) => void;
}

/**
 * Queue adapter over Redis, with a property for each interface of {@link QueueAdapter}. BullMQ distributes the jobs to the processes. Lua
 * scripts (`lua/`) store their parts and results, and keep limits.
 */
export class RedisQueue implements QueueAdapter {
  readonly jobs: RedisJobs<EvaluationForms>;
  readonly line: JobLine;
  /** Lines of all kinds of jobs. */
  readonly lines: RedisLines;
  /** Engine threads of all processes. */
  readonly seats: RedisSeats;
  readonly definitions: DefinitionStore;
  readonly tokens: TokenStore;
  readonly prices: PriceStore;
  readonly threadTime: RedisThreadTime;
  /** Connection, keys and scripts for all ports. */
  readonly store: RedisStore;
  readonly #heartbeat: Heartbeat;
  readonly #connections: RedisConnections;

  constructor(address: RedisAddress, options: RedisQueueOptions = {}) {
    const { namespace = 'assay', limits = DEFAULT_QUEUE_LIMITS, contentKeys, report, repaired } = options;
    this.#connections = new RedisConnections(address, report);
    this.store = RedisStore.over(this.#connections, namespace, limits, new Sealing(contentKeys), repaired);
    this.lines = new RedisLines(this.store, this.#connections);
    this.line = this.lines.of(EVALUATION_JOBS);
    this.jobs = new RedisJobs(this.store, EVALUATION_JOBS, this.lines);
    this.seats = new RedisSeats(this.store);
    this.definitions = new RedisDefinitions(limits, this.store);
    this.tokens = new RedisTokens(this.store);
    this.prices = new RedisPrices(this.store);
    this.threadTime = new RedisThreadTime(this.store);
    this.#heartbeat = new Heartbeat(this.store, this.seats, this.lines);
  }

  open<Forms extends JobForms>(kind: JobKind<Forms>): JobQueue<Forms> {
    return { jobs: new RedisJobs(this.store, kind, this.lines), line: this.lines.of(kind) };
  }

  /** Returns the object that offers tasks to other processes. `definitions` stores the texts of the definitions that the tasks need. */
  offers(definitions: DefinitionStore = this.definitions): RedisOffers {
    return new RedisOffers(this.store, this.seats, definitions);
  }

  probe(): Promise<void> {
    return this.store.probe();
  }

  /**
   * Ends all waiting for Redis, and closes the connections. If Redis does not respond within {@link CLOSING_MS}, the connections are closed
   * without waiting.
   */
  async close(): Promise<void> {
    this.#heartbeat.close();
    this.store.close();
    await inTime(CLOSING_MS, this.lines.close()).catch(() => undefined);
    this.#connections.close();
  }
}
