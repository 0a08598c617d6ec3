import type { ContentKey } from '../at-rest/content-keys.ts';
import { Sealing } from '../at-rest/sealing.ts';
import { inTime } from '../in-time.ts';
import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import type { QueueLimits } from '../limits.ts';
import type { DefinitionStore, PriceStore, QueueAdapter, TokenStore } from '../ports.ts';
import type { StudyForms } from '../study-store.ts';
import type { RedisTrouble } from './connection-troubles.ts';
import { RedisConnections } from './connections.ts';
import { Heartbeat } from './heartbeat.ts';
import type { RedisAddress } from './redis-address.ts';
import { RedisDefinitions } from './redis-definitions.ts';
import { RedisJobs } from './redis-jobs.ts';
import { RedisLine } from './redis-line.ts';
import { RedisOffers } from './redis-offers.ts';
import { RedisPrices } from './redis-prices.ts';
import { RedisSeats } from './redis-seats.ts';
import { RedisStore } from './redis-store.ts';
import { RedisStudyFleet } from './redis-study-fleet.ts';
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
  readonly jobs: RedisJobs;
  readonly line: RedisLine;
  /** Seats (engine threads) of all processes. */
  readonly seats: RedisSeats;
  readonly definitions: DefinitionStore;
  readonly tokens: TokenStore;
  readonly prices: PriceStore;
  /** Connection, keys and scripts for all ports. */
  readonly store: RedisStore;
  readonly #fleets: { close(): Promise<void> }[] = [];
  readonly #heartbeat: Heartbeat;
  readonly #connections: RedisConnections;

  constructor(address: RedisAddress, options: RedisQueueOptions = {}) {
    const { namespace = 'assay', limits = DEFAULT_QUEUE_LIMITS, contentKeys, report, repaired } = options;
    this.#connections = new RedisConnections(address, report);
    this.store = RedisStore.over(this.#connections, namespace, limits, new Sealing(contentKeys), repaired);
    this.line = new RedisLine(this.store, this.#connections);
    this.jobs = new RedisJobs(this.store, this.line);
    this.seats = new RedisSeats(this.store);
    this.definitions = new RedisDefinitions(limits, this.store);
    this.tokens = new RedisTokens(this.store);
    this.prices = new RedisPrices(this.store);
    this.#heartbeat = new Heartbeat(this.store, this.seats, this.line);
  }

  /**
   * Creates the fleet that runs the studies (searches for expensive objects) of all processes. The caller defines the types of a study's
   * parts (`Forms`).
   */
  studies<Forms extends StudyForms>(): RedisStudyFleet<Forms> {
    const fleet = new RedisStudyFleet<Forms>(this.store, this.#connections);
    this.#fleets.push(fleet);
    return fleet;
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
    await inTime(CLOSING_MS, Promise.all([this.line.close(), ...this.#fleets.map((fleet) => fleet.close())])).catch(() => undefined);
    this.#connections.close();
  }
}
