import { Queue } from 'bullmq';
import { LEVELS } from '#runner/flow';
import { idOf, JOBS_OF_LEVEL, LINES, STUDY_LINE } from '../life/job-kind.ts';
import type { JobKind, Line } from '../life/job-kind.ts';
import type { JobLine, PerformJob } from '../ports.ts';
import { isDamage } from '../unavailable.ts';
import type { RedisConnections } from './connections.ts';
import { LineServer } from './line-server.ts';
import type { BullJob } from './line-server.ts';
import type { RedisStore } from './redis-store.ts';

/** Job that a script named, so that this process adds it to BullMQ. */
export interface NamedJob {
  /** Id under which the job is stored. */
  readonly id: string;
  readonly line: Line;
  readonly data: BullJob;
}

/** Place where jobs wait until a process performs them. */
export interface JobPlaces {
  /** Adds jobs. Never rejects: a heartbeat of any process names again the jobs that are missing. */
  add(jobs: readonly NamedJob[]): Promise<void>;
  /** Removes a job that is over, unless a process performs it. Never rejects. */
  remove(id: string, line: Line): Promise<void>;
}

/** Number of heartbeats without jobs of a line after which its worker stops. */
const REST_BEATS = 30;

const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true } as const;

const queueOf = (line: Line): string => `jobs-${line}`;

/**
 * Lines of jobs over BullMQ, with one queue for each line. BullMQ has only the first jobs of each flow. When a job is over, the Lua scripts
 * name the next job of its flow, and the process that called the script adds it. Adding a job twice is harmless.
 */
export class RedisLines implements JobPlaces {
  readonly #store: RedisStore;
  readonly #connections: RedisConnections;
  readonly #queues = new Map<Line, Queue<BullJob>>();
  readonly #servers = new Set<LineServer>();

  constructor(store: RedisStore, connections: RedisConnections) {
    this.#store = store;
    this.#connections = connections;
    store.announcements.onMessage(store.keys.lines, (line) => {
      store.stirred.notify();
      this.serveLines([line]);
    });
  }

  async add(jobs: readonly NamedJob[]): Promise<void> {
    try {
      for (const [line, added] of Map.groupBy(jobs, (job) => job.line)) await this.#addTo(line, added);
    } catch (error) {
      await this.#mend(error);
    }
  }

  async remove(id: string, line: Line): Promise<void> {
    await this.#queue(line)
      .remove(id)
      .catch((error: unknown) => this.#mend(error));
  }

  /** Returns the line, or the lines, of the jobs of one kind. */
  of(kind: Pick<JobKind<never>, 'name'>): JobLine {
    const lines: readonly Line[] = kind.name === 'study' ? [STUDY_LINE] : LEVELS;
    return { serve: (perform, most = JOBS_OF_LEVEL) => this.#serve(kind, lines, perform, most) };
  }

  #serve(kind: Pick<JobKind<never>, 'name'>, lines: readonly Line[], perform: PerformJob, most: number): () => Promise<void> {
    const { leaseMs, heartbeatMs } = this.#store.limits;
    const server = new LineServer({
      open: () => this.#connections.open('blocking'),
      prefix: this.#store.keys.bullmq,
      lines,
      most,
      queueOf,
      leaseMs,
      restMs: REST_BEATS * heartbeatMs,
      perform: (stored, signal) => {
        const id = idOf(kind, stored);
        return id === undefined ? Promise.resolve('over') : perform(id, signal);
      },
      progressOf: (id) => this.#progressOf(id),
      failed: (error) => void this.#mend(error),
    });
    this.#servers.add(server);
    void this.#lookForJobs(server, lines).catch(() => undefined);
    return async () => {
      await server.stop();
      this.#servers.delete(server);
    };
  }

  /** Performs the jobs of lines that have some, as a heartbeat found, and stops to wait for jobs of the other lines after some time. */
  serveLines(lines: readonly string[]): void {
    for (const server of this.#servers) {
      for (const line of LINES) if (lines.includes(line)) server.start(line);
      server.rest();
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#servers].map((server) => server.close()));
    await Promise.allSettled([...this.#queues.values()].map((queue) => queue.close()));
  }

  async #addTo(line: Line, jobs: readonly NamedJob[]): Promise<void> {
    const { redis, keys } = this.#store;
    const name = line === STUDY_LINE ? 'study' : 'evaluation';
    await this.#queue(line).addBulk(jobs.map(({ id, data }) => ({ name, data, opts: { jobId: id, ...JOB_OPTIONS } })));
    await redis.zrem(keys.namedJobs, ...jobs.map(({ id }) => id));
  }

  async #progressOf(id: string): Promise<number> {
    const { redis, keys } = this.#store;
    const [done, parts, percent] = await redis.hmget(keys.job(id), 'done', 'total', 'percent');
    return Math.max(Number(percent ?? 0), Math.floor((100 * Number(done)) / Math.max(1, Number(parts))));
  }

  /** Starts the work of a server on each of its lines that has a job. */
  async #lookForJobs(server: LineServer, lines: readonly Line[]): Promise<void> {
    const { redis, keys } = this.#store;
    for (const line of lines) if ((await redis.exists(keys.bullJobs(line, 'wait'), keys.bullJobs(line, 'active'))) > 0) server.start(line);
  }

  /**
   * Repairs the keys of BullMQ if an error means that other software damaged them. Every other error is ignored: the next heartbeat names
   * again the jobs that BullMQ does not have.
   */
  async #mend(error: unknown): Promise<void> {
    if (isDamage(error)) await this.#store.scripts.repair().catch(() => undefined);
  }

  #queue(line: Line): Queue<BullJob> {
    const known = this.#queues.get(line);
    if (known) return known;
    const queue = new Queue<BullJob>(queueOf(line), { connection: this.#store.redis, prefix: this.#store.keys.bullmq });
    // Without this handler, an error would end the process. The connections report their failures, and ioredis reconnects.
    queue.on('error', () => undefined);
    this.#queues.set(line, queue);
    return queue;
  }
}

/** Returns the jobs that an answer of a script names: id, flow, parts, bytes and definition of each. */
export function namedJobs(words: readonly string[]): readonly NamedJob[] {
  const jobs: NamedJob[] = [];
  for (let i = 0; i + 4 < words.length; i += 5) {
    const [id = '', flow = '', parts, bytes, definition] = words.slice(i, i + 5);
    const line = LINES.find((one) => flow.startsWith(`${one}/`));
    if (line) jobs.push({ id, line, data: { flow, parts: Number(parts), bytes: Number(bytes), ...(definition && { definition }) } });
  }
  return jobs;
}
