import { idOf, storedIdOf, STUDY_LINE } from '../life/job-kind.ts';
import type { JobKind } from '../life/job-kind.ts';
import { isLiving } from '../life/job-life.ts';
import type { EndedJob, JobDepth, JobForms, Progress } from '../ports.ts';
import { PROGRESS_FIELDS, progressOf, unpackForm } from './packing.ts';
import type { RedisStore } from './redis-store.ts';

/** Reads the jobs of one kind that are stored in Redis, and listens to their changes. */
export class StoredJobs<Forms extends JobForms> {
  readonly #store: RedisStore;
  readonly #kind: JobKind<Forms>;

  constructor(store: RedisStore, kind: JobKind<Forms>) {
    this.#store = store;
    this.#kind = kind;
  }

  async depth(): Promise<JobDepth> {
    const { redis, keys, gate, scripts } = this.#store;
    const field = this.#kind.name === 'study' ? STUDY_LINE : '';
    const ask = () => Promise.all((['jobs', 'parts', 'bytes', 'results'] as const).map((what) => redis.hget(keys.load(what), field)));
    const counts = await gate.whileAnswering(() => scripts.repairing(ask));
    const [jobs = 0, waiting = 0, waitingBytes = 0, resultBytes = 0] = counts.map(Number);
    return { jobs, waiting, waitingBytes, resultBytes };
  }

  async list(most: number): Promise<readonly string[]> {
    const { redis, keys, gate, scripts } = this.#store;
    const key = keys.index(this.#kind.name);
    const newest = await gate.whileAnswering(() => scripts.repairing(() => redis.zrevrange(key, 0, most - 1)));
    return newest.flatMap((id) => idOf(this.#kind, id) ?? []);
  }

  async record(id: string): Promise<Forms['record'] | undefined> {
    const bytes = await this.#field(id, 'record');
    return bytes ? unpackForm(this.#store.sealing, this.#kind.record, bytes) : undefined;
  }

  async noted(id: string): Promise<Forms['note'] | undefined> {
    const bytes = await this.#field(id, 'note');
    return bytes ? unpackForm(this.#store.sealing, this.#kind.note, bytes) : undefined;
  }

  async progress(id: string): Promise<Progress | undefined> {
    return this.#store.gate.whileAnswering(() => this.#progress(id));
  }

  async result(id: string, part: number, signal?: AbortSignal): Promise<Forms['result'] | undefined> {
    const { announcements, redis, keys, gate, sealing } = this.#store;
    const stored = storedIdOf(this.#kind, id);
    for (;;) {
      // The subscription begins before the read, so that the loop misses no change.
      const changed = announcements.nextChange(stored, signal);
      // Redis reads the progress first. So if the progress includes all results, the second read finds this result.
      const ask = () => Promise.all([this.#progress(id), redis.hgetBuffer(keys.results(stored), String(part))]);
      const [progress, bytes] = await gate.whileAnswering(() => askTwice(ask));
      if (bytes) return unpackForm(sealing, this.#kind.result, bytes);
      if (!progress || !isLiving(progress.phase) || signal?.aborted) return undefined;
      if (progress.phase !== 'receiving' && part >= progress.partsTotal) return undefined;
      await changed;
    }
  }

  changed(id: string, signal: AbortSignal): Promise<void> {
    return this.#store.announcements.nextChange(storedIdOf(this.#kind, id), signal);
  }

  onCancelled(listener: (id: string) => void): () => void {
    return this.#store.announcements.onCancelled((storedId) => {
      const id = idOf(this.#kind, storedId);
      if (id !== undefined) listener(id);
    });
  }

  onEnded(listener: (ended: EndedJob) => void): () => void {
    return this.#store.ended.add(({ id: storedId, end }) => {
      const id = idOf(this.#kind, storedId);
      if (id !== undefined) listener({ id, end });
    });
  }

  #field(id: string, field: 'record' | 'note'): Promise<Buffer | null> {
    const { gate, redis, keys } = this.#store;
    return gate.whileAnswering(() => redis.hgetBuffer(keys.job(storedIdOf(this.#kind, id)), field));
  }

  async #progress(id: string): Promise<Progress | undefined> {
    const values = await this.#store.redis.hmget(this.#store.keys.job(storedIdOf(this.#kind, id)), ...PROGRESS_FIELDS);
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
