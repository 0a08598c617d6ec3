import type { Tally } from '#documents';
import type { EndedJob } from '#jobs';
import type { StudyPhase } from '#service';

/**
 * Levels of the audit log. `none`: nothing is written. `metadata`: who requested what, and the result. `request`: additionally the body of
 * each request.
 */
export const AUDIT_LEVELS = ['none', 'metadata', 'request'] as const;

/** Level of the audit log, one of {@link AUDIT_LEVELS}. */
export type AuditLevel = (typeof AUDIT_LEVELS)[number];

/** Facts about a request for the audit log that are known only to the code that processes the request, not to the HTTP layer. */
export interface AuditFacts {
  /** Id of the evaluation that the request started or concerns. */
  readonly evaluation?: string;
  readonly kubernetesVersion?: string;
  /** Definitions of the request, each with its name and the SHA-256 digest of its canonical text. */
  readonly definitions?: readonly { readonly name: string; readonly digest: string | undefined }[];
  /** Counts of item outcomes and their CEL cost. If the answer was interrupted, the counts cover the part before the interruption. */
  readonly summary?: AuditSummary;
}

/** Counts of item outcomes, and the CEL cost of the rules. */
export type AuditSummary = Omit<Tally, 'phases'>;

/** Line of the audit log. Fields that the API server's audit log also has use the same names (audit.k8s.io/v1 Event, 1.37). */
export type AuditEvent = RequestEvent | EndEvent | StudyEndEvent;

/** Fields that all lines of the audit log have. */
export interface EventFrame {
  readonly kind: 'Event';
  readonly apiVersion: 'audit.assay/v1';
  readonly level: AuditLevel;
  readonly traceID?: string;
  /** Time of the event, in RFC 3339. */
  readonly stageTimestamp: string;
}

/** Audit line for a request that is complete. */
export interface RequestEvent extends EventFrame, AuditFacts {
  /** Id of the request. */
  readonly auditID: string;
  readonly stage: 'ResponseComplete';
  /** HTTP method of the request; `requestURI` is the path of the request with its query. */
  readonly verb: string;
  readonly requestURI: string;
  /** Client that sent the request. `username` is absent if the client has no proven identity. */
  readonly user: { readonly username?: string };
  readonly sourceIPs: readonly string[];
  readonly userAgent?: string;
  /** Time at which the request arrived, in RFC 3339. */
  readonly requestReceivedTimestamp: string;
  /** HTTP status of the answer. `code` is 0 if the client disconnected before it received an answer. */
  readonly responseStatus: { readonly code: number };
  /** Request body as text, cut to {@link MAX_AUDITED_BODY} bytes. Absent below level `request`, and if the body was streamed. */
  readonly requestObject?: string;
  readonly requestBytes?: number;
}

/** Audit line for an asynchronous evaluation that ended. A fact is absent if the storage could no longer return it. */
export interface EndEvent extends EventFrame {
  readonly stage: 'EvaluationEnded';
  readonly evaluation: string;
  readonly end: EndedJob['end'];
  /** Owner of the evaluation. `username` is absent if the owner had no proven identity. */
  readonly user?: { readonly username?: string };
  readonly summary?: AuditSummary;
}

/** Audit line for a study of rules that ended. A fact is absent if the storage could no longer return it. */
export interface StudyEndEvent extends EventFrame {
  readonly stage: 'StudyEnded';
  readonly benchmark: string;
  readonly end: StudyPhase;
  /** Client that owns the study. `username` is absent if the owner had no proven identity. */
  readonly user?: { readonly username?: string };
  /** Thread time that the study used since its last start, in ms. */
  readonly threadMs?: number;
}

/** Maximum number of bytes of a request body that an audit line holds. */
export const MAX_AUDITED_BODY = 64 * 1024;

/**
 * Returns the part of a tally (counts of an evaluation) that an audit line contains. It consists of all counts, without the times in
 * `phases`.
 */
export function summaryOf(tally: Tally): AuditSummary {
  const { phases: _, ...summary } = tally;
  return summary;
}
