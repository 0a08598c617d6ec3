import type { EndedStudy } from '#service';
import { traceOf } from '#telemetry';
import type { AuditLog } from './audit-log.ts';

/** Writes the audit event of a study (benchmark) that ended, unless the audit level is `none`. */
export function auditStudyEnd({ record, end }: EndedStudy, audit: Pick<AuditLog, 'level' | 'write'>): void {
  if (audit.level === 'none') return;
  const { traceId } = traceOf(record.traceparent);
  audit.write({
    kind: 'Event',
    apiVersion: 'audit.assay/v1',
    level: audit.level,
    ...(traceId !== undefined && { traceID: traceId }),
    stage: 'StudyEnded',
    user: record.owner === undefined ? {} : { username: record.owner },
    stageTimestamp: new Date(end.endedAt).toISOString(),
    benchmark: record.id,
    end: end.phase,
    threadMs: end.threadMs,
  });
}
