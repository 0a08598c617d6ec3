import { Queue } from 'bullmq';
import { LEVELS } from '#runner/flow';
import type { Level } from '#runner/flow';
import type { JobLine, PerformJob } from '../ports.ts';
import { isDamage } from '../unavailable.ts';
import type { RedisConnections } from './connections.ts';
import { LineServer } from './line-server.ts';
import type { BullJob } from './line-server.ts';
import type { RedisStore } from './redis-store.ts';

/** Job that a script told this process to add to BullMQ. */
export interface NamedJob {
  readonly id: string;
  readonly level: Level;
  readonly data: BullJob;
}

/** Place where jobs wait until a process performs them. */
export interface JobPlaces {
  /** Adds jobs. Never rejects: a heartbeat of any process tells again which jobs are not there. */
  add(jobs: readonly NamedJob[]): Promise<void>;
  /** Removes a job that is over, unless a process performs it. Never rejects. */
  remove(id: string, level: Level): Promise<void>;
}

/** Number of heartbeats without jobs of a level after which its worker stops. */
const REST_BEATS = 30;

const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true } as const;

/** Returns the name of BullMQ's queue for a level. */
const queueOf = (level: Level): string => `jobs-${level}`;

/**
 * Lines of jobs over BullMQ, with one queue for each priority level. BullMQ has only the first jobs of each flow. When a job
 * is over, the Lua scripts name the next job of its flow, and the process that called the script adds it. Adding a job twice is harmless.
 */
export class RedisLine implements JobLine, JobPlaces {
  readonly #store: RedisStore;
  readonly #connections: RedisConnections;
  readonly #queues = new Map<Level, Queue<BullJob>>();
  readonly #servers = new Set<LineServer>();

  constructor(store: RedisStore, connections: RedisConnections) {
    this.#store = store;
    this.#connections = connections;
    store.announcements.onMessage(store.keys.lines, (level) => {
      store.stirred.notify();
      this.look([level]);
    });
  }

  async add(jobs: readonly NamedJob[]): Promise<void> {
    try {
      for (const [level, added] of Map.groupBy(jobs, (job) => job.level)) await this.#addTo(level, added);
    } catch (error) {
      await this.#mend(error);
    }
  }

  async remove(id: string, level: Level): Promise<void> {
    await this.#queue(level)
      .remove(id)
      .catch((error: unknown) => this.#mend(error));
  }

  serve(perform: PerformJob): () => Promise<void> {
    const { leaseMs, heartbeatMs } = this.#store.limits;
    const server = new LineServer({
      open: () => this.#connections.open('waiting'),
      prefix: this.#store.keys.bullmq,
      queueOf,
      leaseMs,
      restMs: REST_BEATS * heartbeatMs,
      perform,
      progressOf: (id) => this.#progressOf(id),
      failed: (error) => void this.#mend(error),
    });
    this.#servers.add(server);
    void this.#lookForJobs().catch(() => undefined);
    return async () => {
      await server.stop();
      this.#servers.delete(server);
    };
  }

  /** Performs the jobs of levels that have some, as a heartbeat found, and stops to wait for jobs of the other levels after some time. */
  look(levels: readonly string[]): void {
    for (const server of this.#servers) {
      for (const level of LEVELS) if (levels.includes(level)) server.start(level);
      server.rest();
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#servers].map((server) => server.close()));
    await Promise.allSettled([...this.#queues.values()].map((queue) => queue.close()));
  }

  async #addTo(level: Level, jobs: readonly NamedJob[]): Promise<void> {
    const { redis, keys } = this.#store;
    await this.#queue(level).addBulk(jobs.map(({ id, data }) => ({ name: 'evaluation', data, opts: { jobId: id, ...JOB_OPTIONS } })));
    await redis.zrem(keys.namedJobs, ...jobs.map(({ id }) => id));
  }

  async #progressOf(id: string): Promise<number> {
    const { redis, keys } = this.#store;
    const [done, parts] = await redis.hmget(keys.job(id), 'done', 'total');
    return Math.floor((100 * Number(done)) / Math.max(1, Number(parts)));
  }

  async #lookForJobs(): Promise<void> {
    const { redis, keys } = this.#store;
    for (const level of LEVELS)
      if ((await redis.exists(keys.bullJobs(level, 'wait'), keys.bullJobs(level, 'active'))) > 0) this.look([level]);
  }

  /**
   * Repairs the keys of BullMQ if an error means that other software damaged them. Every other error is ignored: the next heartbeat names
   * again the jobs that BullMQ does not have.
   */
  async #mend(error: unknown): Promise<void> {
    if (isDamage(error)) await this.#store.scripts.repair().catch(() => undefined);
  }

  #queue(level: Level): Queue<BullJob> {
    const known = this.#queues.get(level);
    if (known) return known;
    const queue = new Queue<BullJob>(queueOf(level), { connection: this.#store.redis, prefix: this.#store.keys.bullmq });
    // Lost connections are told by the connections themselves; ioredis reconnects.
    queue.on('error', () => undefined);
    this.#queues.set(level, queue);
    return queue;
  }
}

/** Returns the jobs that an answer of a script names: id, flow, parts, bytes and definition of each. */
export function namedJobs(words: readonly string[]): readonly NamedJob[] {
  const jobs: NamedJob[] = [];
  for (let i = 0; i + 4 < words.length; i += 5) {
    const [id = '', flow = '', parts, bytes, definition] = words.slice(i, i + 5);
    const level = LEVELS.find((one) => flow.startsWith(`${one}/`));
    if (level) jobs.push({ id, level, data: { flow, parts: Number(parts), bytes: Number(bytes), ...(definition && { definition }) } });
  }
  return jobs;
}
