import { lostStatus, resultsTooLargeStatus } from '#evaluation';
import type { ChunkResult } from '#evaluation';
import { notFoundStatus } from '#kube';
import type { Status } from '#kube';
import { UnreadableContent } from '#jobs';
import type { EvaluationRecord, Progress, QueueAdapter } from '#jobs';
import { answered, declined } from '../outcome.ts';
import type { Declined, Outcome } from '../outcome.ts';

/** Maximum number of stored evaluations that are examined to create one list. */
const MOST_LOOKED_AT = 1000;

/** Verdicts of a part of an evaluation, or of the end of a part, in the order of the objects. */
export interface StoredVerdicts {
  readonly count: number;
  readonly result: Pick<ChunkResult, 'verdicts' | 'lines'>;
}

/** Ports of {@link EvaluationArchive}. */
export interface ArchivePorts {
  /** Storage of detached evaluations. */
  readonly queue: QueueAdapter;
}

/**
 * Archive of detached evaluations: evaluations that continue in the background while no client waits for them. Owners (clients) find, read,
 * cancel and remove their evaluations through this class.
 */
export class EvaluationArchive {
  readonly #ports: ArchivePorts;

  constructor(ports: ArchivePorts) {
    this.#ports = ports;
  }

  /**
   * Returns a detached evaluation if the caller may read evaluations of its owner. Returns undefined for any other or unknown evaluation.
   */
  async find(id: string, mayRead: (owner: string | undefined) => boolean): Promise<EvaluationRecord | undefined> {
    const record = await this.#ports.queue.jobs.record(id);
    return record && mayRead(record.owner) ? record : undefined;
  }

  /**
   * Returns at most `most` detached evaluations that the caller may read, newest first. Examines at most `MOST_LOOKED_AT` stored
   * evaluations.
   */
  async list(most: number, mayRead: (owner: string | undefined) => boolean): Promise<readonly EvaluationRecord[]> {
    const ids = await this.#ports.queue.jobs.list(MOST_LOOKED_AT);
    const records: EvaluationRecord[] = [];
    for (const id of ids) {
      const record = await this.#ports.queue.jobs.record(id).catch(nothingIfUnreadable);
      if (record && mayRead(record.owner)) records.push(record);
    }
    return records.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, most);
  }

  /** Returns the progress of an evaluation; undefined if it is unknown. */
  progress(id: string): Promise<Progress | undefined> {
    return this.#ports.queue.jobs.progress(id);
  }

  /** Resolves at the next change of an evaluation's progress, or when `signal` is aborted. */
  changed(id: string, signal: AbortSignal): Promise<void> {
    return this.#ports.queue.jobs.changed(id, signal);
  }

  /**
   * Cancels an evaluation. If the evaluation is already over, deletes it with its results, so that its flow is no longer charged for them.
   */
  async remove(id: string): Promise<void> {
    const { jobs } = this.#ports.queue;
    if (!(await jobs.cancel(id))) await jobs.forget(id);
  }

  /**
   * Yields the verdicts from item `from` on, part by part as their results become available. If a result will never be available although
   * the evaluation was not cancelled, the last outcome is a refusal. If the evaluation was deleted or expired in the meantime, the refusal
   * is the 404 of an unknown evaluation.
   */
  async *verdicts(id: string, from: number, signal: AbortSignal): AsyncGenerator<Outcome<StoredVerdicts>> {
    let firstItem = 0;
    for (let index = 0; ; index++) {
      const result = await this.#ports.queue.jobs.result(id, index, signal);
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
    const progress = await this.progress(id);
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

/** Returns undefined if a record cannot be read, so that other records can still be listed. Throws any other error. */
function nothingIfUnreadable(error: unknown): undefined {
  if (!(error instanceof UnreadableContent)) throw error;
}
