import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import type { QueueLimits } from '../limits.ts';
import type { CancellationChannel, DefinitionStore, DetachedEnd, EvaluationEnds, QueueAdapter, ResultStore } from '../ports.ts';
import { RECONCILE } from './lua/commands.ts';
import { RedisCancellations } from './redis-cancellations.ts';
import { RedisDefinitions } from './redis-definitions.ts';
import { RedisResults } from './redis-results.ts';
import { RedisStore } from './redis-store.ts';
import { RedisWork } from './redis-work.ts';
import { WakeUps } from './wake-ups.ts';

/** An evaluation this long past its deadline is cancelled when it is reconciled, ms: consumers of its chunks had time to answer. */
const DEADLINE_GRACE_MS = 10_000;

/** All ports over Redis: BullMQ's jobs wake consumers; order, leases, results and limits are commands in Lua (`lua/`). */
export class RedisQueue implements QueueAdapter {
  readonly work: RedisWork;
  readonly results: ResultStore;
  readonly cancellations: CancellationChannel;
  readonly ends: EvaluationEnds;
  readonly definitions: DefinitionStore;
  readonly #store: RedisStore;
  readonly #wakeUps: WakeUps;
  readonly #heartbeat: NodeJS.Timeout;

  /** `namespace` keeps installations (and tests) that share a server apart. */
  constructor(url: string, namespace = 'assay', limits: QueueLimits = DEFAULT_QUEUE_LIMITS) {
    this.#store = RedisStore.connect(url, namespace, limits);
    this.#wakeUps = new WakeUps(url, this.#store.redis, this.#store.keys.bullmq);
    this.work = new RedisWork(this.#store, this.#wakeUps);
    this.results = new RedisResults(this.#store);
    this.cancellations = new RedisCancellations(this.#store);
    this.ends = { onEnded: (listener: (end: DetachedEnd) => void) => this.#store.ended.add(listener) };
    this.definitions = new RedisDefinitions(this.#store);
    this.#heartbeat = setInterval(() => void this.#beat().catch(() => undefined), limits.heartbeatMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#store.leave();
    await this.#wakeUps.close();
    this.#store.close();
  }

  /** PLOT of a heartbeat: this process lives → leases that ran out → what is stored is as it must be. */
  async #beat(): Promise<void> {
    const { servingMs, heartbeatMs } = this.#store.limits;
    await this.#store.sendHeartbeat(servingMs);
    const [lost = '0', cancelled = '0'] = await this.#store.scripts.words(RECONCILE, {
      periodMs: Math.round(0.9 * heartbeatMs),
      graceMs: DEADLINE_GRACE_MS,
      servingMs,
      stoodStillMs: 3 * heartbeatMs,
    });
    this.#store.tell('lost', Number(lost));
    this.#store.tell('cancelled', Number(cancelled));
    await this.work.keepUp();
  }
}
