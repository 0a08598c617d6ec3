import { randomUUID } from 'node:crypto';
import { steadyNow } from '#evaluation';
import type { ContentKey } from '../at-rest/content-keys.ts';
import { Sealing } from '../at-rest/sealing.ts';
import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import type { QueueLimits } from '../limits.ts';
import type {
  CancellationChannel,
  DefinitionStore,
  EndedEvaluation,
  EvaluationEnds,
  PriceStore,
  QueueAdapter,
  ResultStore,
  TokenStore,
} from '../ports.ts';
import type { StudyForms } from '../study-store.ts';
import type { RedisTrouble } from './connection-troubles.ts';
import { RedisConnections } from './connections.ts';
import { inTime } from '../in-time.ts';
import { RECONCILE } from './lua/commands.ts';
import { RedisCancellations } from './redis-cancellations.ts';
import type { RedisAddress } from './redis-address.ts';
import { RedisDefinitions } from './redis-definitions.ts';
import { RedisOffers } from './redis-offers.ts';
import { RedisPrices } from './redis-prices.ts';
import { RedisResults } from './redis-results.ts';
import { RedisStore } from './redis-store.ts';
import { RedisStudyFleet } from './redis-study-fleet.ts';
import { RedisTokens } from './redis-tokens.ts';
import { RedisWork } from './redis-work.ts';
import { WakeUps } from './wake-ups.ts';

/**
 * Time in ms between the deadline of an evaluation and its cancellation by reconciliation. During this time, consumers may still send
 * results of the evaluation's chunks.
 */
const DEADLINE_GRACE_MS = 10_000;

/** Factor by which the interval between heartbeats grows while no evaluation lives. */
const IDLE_BEATS = 10;

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
  /** Called with the names of damaged keys and the ids of evaluations that were lost, after they were repaired. */
  readonly repaired?: (names: readonly string[]) => void;
}

/**
 * Queue adapter over Redis, with a property for each interface of {@link QueueAdapter}. BullMQ's jobs only wake consumers. Lua commands
 * (`lua/`) implement order, leases, results and limits.
 */
export class RedisQueue implements QueueAdapter {
  readonly work: RedisWork;
  readonly results: ResultStore;
  readonly cancellations: CancellationChannel;
  readonly ends: EvaluationEnds;
  readonly definitions: DefinitionStore;
  readonly tokens: TokenStore;
  readonly prices: PriceStore;
  /** Connection, keys and scripts for all ports. */
  readonly store: RedisStore;
  readonly #wakeUps: WakeUps;
  readonly #fleets: { close(): Promise<void> }[] = [];
  /** Timer of the next heartbeat, and the time in ms at which it fires, by the steady clock. Undefined if no heartbeat is scheduled. */
  #next: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  #isClosed = false;
  /** True if no evaluation lived at the last heartbeat. */
  #isIdle = false;
  readonly #connections: RedisConnections;

  constructor(address: RedisAddress, options: RedisQueueOptions = {}) {
    const { namespace = 'assay', limits = DEFAULT_QUEUE_LIMITS, contentKeys, report, repaired } = options;
    this.#connections = new RedisConnections(address, report);
    this.store = RedisStore.over(this.#connections, namespace, limits, new Sealing(contentKeys), repaired);
    this.#wakeUps = new WakeUps(this.#connections, this.store.redis, this.store.keys.bullmq);
    this.work = new RedisWork(this.store, this.#wakeUps);
    this.results = new RedisResults(this.store);
    this.cancellations = new RedisCancellations(this.store);
    this.ends = { onEnded: (listener: (ended: EndedEvaluation) => void) => this.store.ended.add(listener) };
    this.definitions = new RedisDefinitions(limits, this.store);
    this.tokens = new RedisTokens(this.store);
    this.prices = new RedisPrices(this.store);
    this.store.stirred.add(() => this.#beatWithin(limits.heartbeatMs));
    this.#beatWithin(limits.heartbeatMs);
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
    return new RedisOffers(this.store, this.work, definitions);
  }

  probe(): Promise<void> {
    return this.store.probe();
  }

  /**
   * Ends all waiting for Redis, and closes the connections. If Redis does not respond within {@link CLOSING_MS}, the connections are closed
   * without waiting.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#next?.timer);
    this.store.close();
    await inTime(CLOSING_MS, Promise.all([this.#wakeUps.close(), ...this.#fleets.map((fleet) => fleet.close())])).catch(() => undefined);
    this.#connections.close();
  }

  /** Schedules a heartbeat in `ms` milliseconds, unless an earlier heartbeat is already scheduled. */
  #beatWithin(ms: number): void {
    const at = steadyNow() + ms;
    if (this.#isClosed || (this.#next && this.#next.at <= at)) return;
    clearTimeout(this.#next?.timer);
    this.#next = { at, timer: setTimeout(() => void this.#beatAgain(), ms).unref() };
  }

  async #beatAgain(): Promise<void> {
    const { heartbeatMs } = this.store.limits;
    // Work that comes during the heartbeat plans the next one, which an idle answer does not put off.
    this.#next = undefined;
    this.#isIdle = await this.#beat().catch(() => false);
    this.#beatWithin(this.#isIdle ? IDLE_BEATS * heartbeatMs : heartbeatMs);
  }

  /**
   * Performs one heartbeat: reconcile the stored state → report that the consumers live → take back expired leases. Returns true if no
   * evaluation lives.
   */
  async #beat(): Promise<boolean> {
    const { heartbeatMs } = this.store.limits;
    const [living = '0', did, ...ends] = await this.store.scripts.words(RECONCILE, {
      periodMs: Math.round(0.9 * (this.#isIdle ? IDLE_BEATS * heartbeatMs : heartbeatMs)),
      graceMs: DEADLINE_GRACE_MS,
      nonce: randomUUID(),
    });
    for (const ended of endedOf(ends)) this.store.ended.notify(ended);
    const isIdle = living === '0';
    await this.work.stay(isIdle ? IDLE_BEATS * heartbeatMs : heartbeatMs);
    // A consumer that died may have left a lease of an evaluation that is over.
    await this.work.keepUp();
    // What other software damaged is repaired, also while nobody sends requests. One process checks in each period.
    if (did === 'reconciled') await this.store.checkClaims();
    return isIdle;
  }
}

/** Returns the ended evaluations from a response of `reconcile`. In this response, each id is followed by the kind of its end. */
function endedOf(words: readonly string[]): readonly EndedEvaluation[] {
  return words.flatMap((id, i) => (i % 2 === 0 ? [{ id, end: words[i + 1] === 'cancelled' ? 'cancelled' : 'lost' }] : []));
}
