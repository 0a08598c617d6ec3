import { Cluster } from 'ioredis';
import type { ChunkResult } from '#evaluation';
import { isLiving } from '../jobs/job-life.ts';
import type { EndedEvaluation, EvaluationRecord, JobDepth, Progress } from '../ports.ts';
import { PROGRESS_FIELDS, progressOf, unpackRecord, unpackResult } from './packing.ts';
import type { RedisStore } from './redis-store.ts';

/**
 * Number of keys that one SCAN step examines, and maximum number of steps for a list of jobs. If the database has more keys than the steps
 * cover, the list is incomplete.
 */
const KEYS_PER_SCAN = 1000;
const MOST_SCANS = 1000;

/** Returns a Redis pattern that matches only the given text. */
const escapedPattern = (text: string): string => text.replaceAll(/[\\*?[\]]/g, String.raw`\$&`);

/** Reads the jobs that are stored in Redis, and listens to their changes. */
export class StoredJobs {
  readonly #store: RedisStore;

  constructor(store: RedisStore) {
    this.#store = store;
  }

  async depth(): Promise<JobDepth> {
    const { redis, keys, gate, scripts } = this.#store;
    const ask = () => Promise.all((['jobs', 'parts', 'bytes', 'results'] as const).map((what) => redis.hget(keys.load(what), '')));
    const counts = await gate.whileAnswering(() => scripts.repairing(ask));
    const [jobs = 0, waiting = 0, waitingBytes = 0, resultBytes = 0] = counts.map(Number);
    return { jobs, waiting, waitingBytes, resultBytes };
  }

  async list(most: number): Promise<readonly string[]> {
    return this.#store.gate.whileAnswering(() => this.#list(most));
  }

  async record(id: string): Promise<EvaluationRecord | undefined> {
    const { gate, redis, keys } = this.#store;
    const bytes = await gate.whileAnswering(() => redis.hgetBuffer(keys.job(id), 'record'));
    return bytes ? unpackRecord(this.#store.sealing, bytes) : undefined;
  }

  async progress(id: string): Promise<Progress | undefined> {
    return this.#store.gate.whileAnswering(() => this.#progress(id));
  }

  async result(id: string, part: number, signal?: AbortSignal): Promise<ChunkResult | undefined> {
    const { announcements, redis, keys, gate, sealing } = this.#store;
    for (;;) {
      // Listening begins before looking, so that no change falls between.
      const changed = announcements.nextChange(id, signal);
      // Progress first, executed in this order: a result that is stored between the two is found, and not missed where the progress says
      // that all are there.
      const ask = () => Promise.all([this.#progress(id), redis.hgetBuffer(keys.results(id), String(part))]);
      const [progress, bytes] = await gate.whileAnswering(() => askTwice(ask));
      if (bytes) return unpackResult(sealing, bytes);
      if (!progress || !isLiving(progress.phase) || signal?.aborted) return undefined;
      if (progress.phase !== 'receiving' && part >= progress.partsTotal) return undefined;
      await changed;
    }
  }

  changed(id: string, signal: AbortSignal): Promise<void> {
    return this.#store.announcements.nextChange(id, signal);
  }

  onCancelled(listener: (id: string) => void): () => void {
    return this.#store.announcements.onCancelled(listener);
  }

  onEnded(listener: (ended: EndedEvaluation) => void): () => void {
    return this.#store.ended.add(listener);
  }

  async #list(most: number): Promise<readonly string[]> {
    const { redis, keys } = this.#store;
    const prefix = keys.job('');
    const ids = new Set<string>();
    // All keys have one hash tag, so that one node of a cluster has them; which one is not asked: the others find nothing.
    for (const node of redis instanceof Cluster ? redis.nodes('master') : [redis])
      for (let cursor = '0', steps = 0; steps < MOST_SCANS && ids.size < most; steps++) {
        const [next, found] = await node.scan(cursor, 'MATCH', `${escapedPattern(prefix)}*`, 'COUNT', KEYS_PER_SCAN, 'TYPE', 'hash');
        for (const key of found) ids.add(key.slice(prefix.length));
        cursor = next;
        if (cursor === '0') break;
      }
    return [...ids].slice(0, most);
  }

  async #progress(id: string): Promise<Progress | undefined> {
    const values = await this.#store.redis.hmget(this.#store.keys.job(id), ...PROGRESS_FIELDS);
    return progressOf(Object.fromEntries(PROGRESS_FIELDS.flatMap((field, i) => (values[i] == null ? [] : [[field, values[i]]]))));
  }
}

/**
 * Runs `ask`, and repeats it once if the command timed out. After a process was suspended, a timeout may fire before a response that has
 * already arrived is read.
 */
async function askTwice<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && error.message === 'Command timed out') return ask();
    throw error;
  }
}
