import { retentionOf } from '../retention.ts';
import { isUnavailable } from '../unavailable.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/**
 * Deletes evaluations whose results have expired. If the journal cannot delete an evaluation because the disk is full, the error is ignored
 * and the deletion is retried later. Requests that are not about this evaluation are therefore not affected.
 */
export function forgetExpired(store: EvaluationStore): void {
  const now = store.now();
  for (const { record, closedAt, resultBytes } of store.all) {
    if (closedAt === 0 || closedAt + retentionOf(resultBytes, store.limits.retentionMs) >= now) continue;
    try {
      store.forget(record.id);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }
}
