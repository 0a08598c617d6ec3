import type { ContentKey } from '../at-rest/content-keys.ts';
import { Sealing } from '../at-rest/sealing.ts';
import { inTime } from '../in-time.ts';
import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import type { QueueLimits } from '../limits.ts';
import { EVALUATION_JOBS } from '../life/evaluation-jobs.ts';
import type { JobKind } from '../life/job-kind.ts';
import type { DefinitionStore, EvaluationForms, JobForms, JobLine, JobQueue, PriceStore, QueueAdapter, TokenStore } from '../ports.ts';
import type { RedisTrouble } from './connection-troubles.ts';
import { RedisConnections } from './connections.ts';
import { Heartbeat } from './heartbeat.ts';
import type { RedisAddress } from './redis-address.ts';
import { RedisDefinitions } from './redis-definitions.ts';
import { RedisJobs } from './redis-jobs.ts';
import { RedisLines } from './redis-lines.ts';
import { RedisOffers } from './redis-offers.ts';
import { RedisPrices } from './redis-prices.ts';
import { RedisSeats } from './redis-seats.ts';
import { RedisStore } from './redis-store.ts';
import { RedisThreadTime } from './redis-thread-time.ts';
import { RedisTokens } from './redis-tokens.ts';

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
  /** Called with the names of damaged keys and the ids of jobs that were lost, after they were repaired. */
  readonly repaired?: (names: readonly string[]) => void;
}

/**
 * Queue adapter over Redis, with a property for each interface of {@link QueueAdapter}. BullMQ carries the jobs from process to process. Lua
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

  /** Creates the offers of tasks to other processes. `definitions` stores the texts of tasks. */
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
