import { retentionOf } from '../retention.ts';
import { isUnavailable } from '../unavailable.ts';
import type { JobForms } from '../ports.ts';
import type { LiveJobs } from './live-jobs.ts';

/**
 * Deletes jobs whose results have expired. If the journal cannot delete a job because the disk is full, the error is ignored and the
 * deletion is retried later. Requests that are not about this job are therefore not affected.
 */
export function forgetExpired<Forms extends JobForms>(jobs: LiveJobs<Forms>): void {
  const now = jobs.now();
  for (const { record, closedAt, resultBytes } of jobs.all) {
    if (closedAt === 0 || closedAt + retentionOf(resultBytes, jobs.limits.retentionMs) >= now) continue;
    try {
      jobs.forget(record.id);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }
}
