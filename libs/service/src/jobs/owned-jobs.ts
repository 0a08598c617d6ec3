import { emptyTally } from '#documents';
import { UnreadableContent } from '#jobs';
import type { JobForms, JobStore, Progress } from '#jobs';
import type { Refusal } from '#runner/flow';

/** Maximum number of stored jobs that are read to create one list. */
const MAX_READ = 2000;
/** Number of stored jobs that are read at the same time. */
const READ_AT_ONCE = 100;

/** Returns true if a caller may read the jobs of `owner`. */
export type MayRead = (owner: string | undefined) => boolean;

/** Job that is stored. */
export interface StoredJob<Forms extends JobForms> {
  readonly record: Forms['record'];
  readonly progress: Progress;
}

/**
 * Submits a job. If the storage does not answer, it may still have accepted the job. The job is then deleted, because no client knows its id.
 */
export async function submitJob<Forms extends JobForms>(
  jobs: JobStore<Forms>,
  record: Forms['record'],
  parts: readonly Forms['part'][],
): Promise<'accepted' | 'exists' | Refusal> {
  try {
    return await jobs.submit(record, parts);
  } catch (error) {
    void jobs.forget(record.id).catch(() => undefined);
    throw error;
  }
}

/** Returns a job that was just submitted with `parts` parts. Nothing has happened to it yet. */
export function submittedJob<Forms extends JobForms>(record: Forms['record'], parts: number): StoredJob<Forms> {
  const phase = parts === 0 ? 'complete' : 'running';
  return { record, progress: { phase, starts: 0, partsDone: 0, partsTotal: parts, tally: emptyTally() } };
}

/** Jobs of one kind as their owners (clients) see them: they find, list, watch, cancel and delete their jobs through this class. */
export class OwnedJobs<Forms extends JobForms> {
  protected readonly jobs: JobStore<Forms>;

  constructor(jobs: JobStore<Forms>) {
    this.jobs = jobs;
  }

  /** Returns a job if the caller may read the jobs of its owner. Returns undefined for any other or unknown job. */
  async find(id: string, mayRead: MayRead): Promise<StoredJob<Forms> | undefined> {
    const [record, progress] = await Promise.all([this.jobs.record(id), this.jobs.progress(id)]);
    return record && progress && mayRead(record.owner) ? { record, progress } : undefined;
  }

  /** Returns at most `most` jobs that the caller may read, newest first. Reads at most `MAX_READ` stored jobs. */
  async list(most: number, mayRead: MayRead): Promise<readonly StoredJob<Forms>[]> {
    const ids = await this.jobs.list(MAX_READ);
    const found: StoredJob<Forms>[] = [];
    for (let from = 0; from < ids.length && found.length < most; from += READ_AT_ONCE) {
      const some = ids.slice(from, from + READ_AT_ONCE);
      const read = await Promise.all(some.map((id) => this.find(id, mayRead).catch(nothingIfUnreadable)));
      found.push(...read.filter((job) => job !== undefined));
    }
    return found.slice(0, most);
  }

  /** Resolves at the next change of a job, or when `signal` is aborted. It may also resolve without a change. */
  changed(id: string, signal: AbortSignal): Promise<void> {
    return this.jobs.changed(id, signal);
  }

  /** Cancels a job. If the job is already over, deletes it with its results, so that its flow is no longer charged for them. */
  async remove(id: string): Promise<void> {
    if (!(await this.jobs.cancel(id))) await this.jobs.forget(id);
  }
}

/** Returns undefined if a record cannot be read, so that other records can still be listed. Throws any other error. */
function nothingIfUnreadable(error: unknown): undefined {
  if (!(error instanceof UnreadableContent)) throw error;
}
