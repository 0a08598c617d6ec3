import type { Sized } from '../flow/fair-queue.ts';
import { retentionOf } from '../retention.ts';
import { isUnavailable } from '../unavailable.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** Forgets evaluations whose results have expired. What a full journal cannot forget now it forgets later: nobody who asks for something else has to know. */
export function forgetExpired<Other extends Sized>(store: EvaluationStore<Other>): void {
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
