import type { Tally } from '#evaluation';
import type { EndedEvaluation } from '#queue';
import type { StudyPhase } from '#service';

/** The audit log has nothing; who asked for what, and what came of it; or the body of each request as well. */
export const AUDIT_LEVELS = ['none', 'metadata', 'request'] as const;

/** One of {@link AUDIT_LEVELS}. */
export type AuditLevel = (typeof AUDIT_LEVELS)[number];

/** The facts about a request that use cases know beyond HTTP. */
export interface AuditFacts {
  /** Of an evaluation. */
  readonly evaluation?: string;
  readonly kubernetesVersion?: string;
  /** The definitions by name and SHA-256 of their canonical text. */
  readonly definitions?: readonly { readonly name: string; readonly digest: string | undefined }[];
  /** The outcomes of the items, and their CEL cost; for an answer that was broken off, up to its end. */
  readonly summary?: AuditSummary;
}

/** The outcomes of items, and what their rules cost. */
export type AuditSummary = Omit<Tally, 'phases'>;

/** A line of the audit log. Fields that the API server's log has, too, have its names (audit.k8s.io/v1 Event, 1.37). */
export type AuditEvent = RequestEvent | EndEvent | StudyEndEvent;

/** All lines have this. */
interface EventFrame {
  readonly kind: 'Event';
  readonly apiVersion: 'audit.assay/v1';
  readonly level: AuditLevel;
  readonly traceID?: string;
  /** RFC 3339. */
  readonly stageTimestamp: string;
}

/** A line of a request that is over. */
export interface RequestEvent extends EventFrame, AuditFacts {
  /** The request's id. */
  readonly auditID: string;
  readonly stage: 'ResponseComplete';
  /** Method and path with its query. */
  readonly verb: string;
  readonly requestURI: string;
  /** Undefined name: nobody proves who they are. */
  readonly user: { readonly username?: string };
  readonly sourceIPs: readonly string[];
  readonly userAgent?: string;
  /** RFC 3339. */
  readonly requestReceivedTimestamp: string;
  /** `code` 0: the client left before it was answered. */
  readonly responseStatus: { readonly code: number };
  /** The body as text, cut to {@link MAX_AUDITED_BODY}. Absent below level `request`, and if the body was streamed. */
  readonly requestObject?: string;
  readonly requestBytes?: number;
}

/** A line of an asynchronous evaluation that ended. It lacks what could not be read any more. */
export interface EndEvent extends EventFrame {
  readonly stage: 'EvaluationEnded';
  readonly evaluation: string;
  readonly end: EndedEvaluation['end'];
  /** The owner. Undefined name: nobody proved who they were. */
  readonly user?: { readonly username?: string };
  readonly summary?: AuditSummary;
}

/** A line of a study that ended. */
export interface StudyEndEvent extends EventFrame {
  readonly stage: 'StudyEnded';
  readonly benchmark: string;
  readonly end: StudyPhase;
  /** The owner. Undefined name: nobody proved who they were. */
  readonly user: { readonly username?: string };
  /** Thread time that it took since it began last, ms. */
  readonly threadMs: number;
}

/** Bytes of a body that a line holds at most. */
export const MAX_AUDITED_BODY = 64 * 1024;

/** Returns the counts of a tally that a line has. */
export function summaryOf(tally: Tally): AuditSummary {
  const { phases: _, ...summary } = tally;
  return summary;
}
