import { lostStatus, resultsTooLargeStatus } from '#documents';
import type { ChunkResult } from '#documents';
import { notFoundStatus } from '#kube';
import type { Status } from '#kube';
import type { EvaluationForms } from '#jobs';
import { answered, declined } from '../outcome.ts';
import type { Declined, Outcome } from '../outcome.ts';
import { OwnedJobs } from './owned-jobs.ts';

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
