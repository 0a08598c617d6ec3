import { emptyTally, lostStatus, resultsTooLargeStatus } from '#documents';
import type { ChunkResult } from '#documents';
import { UnreadableContent } from '#jobs';
import type { EvaluationForms, JobForms, JobStore, Progress } from '#jobs';
import { notFoundStatus } from '#kube';
import type { Status } from '#kube';
import type { Refusal } from '#runner/flow';
import { answered, declined } from '../outcome.ts';
import type { Declined, Outcome } from '../outcome.ts';

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

/** Verdicts of a part of an evaluation, or of the end of a part, in the order of the objects. */
export interface StoredVerdicts {
  readonly count: number;
  readonly result: Pick<ChunkResult, 'verdicts' | 'lines'>;
}

/** Detached evaluations (that continue after their request) as their owners see them, with the verdicts so far. */
export class EvaluationArchive extends OwnedJobs<EvaluationForms> {
  /**
   * Yields the verdicts from item `from` on, part by part as their results become available. If a result will never be available although
   * the evaluation was not cancelled, the last outcome is a refusal. If the evaluation was deleted or expired in the meantime, the refusal
   * is the 404 of an unknown evaluation.
   */
  async *verdicts(id: string, from: number, signal: AbortSignal): AsyncGenerator<Outcome<StoredVerdicts>> {
    let firstItem = 0;
    for (let index = 0; ; index++) {
      const result = await this.jobs.result(id, index, signal);
      if (!result) {
        const declined = await this.#missing(id, index, signal);
        if (declined) yield declined;
        return;
      }
      const { items } = result.tally;
      if (from <= firstItem) yield answered({ count: items, result });
      else if (from < firstItem + items) yield answered(laterVerdicts(result, from - firstItem));
      firstItem += items;
    }
  }

  /**
   * Returns the reason why a result is missing. Returns undefined if the evaluation was cancelled, has no further part, or `signal` is
   * aborted.
   */
  async #missing(id: string, part: number, signal: AbortSignal): Promise<Declined | undefined> {
    const progress = await this.jobs.progress(id);
    if (signal.aborted || progress?.phase === 'cancelled' || (progress?.phase === 'complete' && part >= progress.partsTotal))
      return undefined;
    if (progress === undefined) return declined('gone', unknownEvaluation(id));
    return progress.phase === 'tooLarge' ? declined('tooLarge', resultsTooLargeStatus()) : declined('lost', lostStatus());
  }
}

/**
 * Returns Status 404 for an evaluation that does not exist, or that the caller may not read. The two cases have the same answer, so that
 * the caller cannot find out if the evaluation exists.
 */
export function unknownEvaluation(id: string): Status {
  return notFoundStatus({ group: 'assay', resource: 'evaluations' }, id.slice(0, 64));
}

function laterVerdicts({ verdicts }: ChunkResult, from: number): StoredVerdicts {
  const later = verdicts.slice(from);
  return { count: later.length, result: { verdicts: later } };
}
