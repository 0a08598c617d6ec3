import { basename, dirname } from 'node:path';
import { createStream } from 'rotating-file-stream';
import type { RotatingFileStream } from 'rotating-file-stream';
import type { Tally } from '#documents';
import type { EndedJob } from '#jobs';
import type { StudyPhase } from '#service';
import type { Log } from '#telemetry';

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

/** Settings of the audit log: level, destination, and the size and number of files. */
export interface AuditSettings {
  readonly level: AuditLevel;
  /** Path of the file, or `-` for standard output. */
  readonly file: string;
  /** Size in bytes after which the audit file is renamed to `<file>.1`, … and a new file is started. */
  readonly maxBytes: number;
  /** Maximum number of renamed, older audit files that are kept in addition to the present file. */
  readonly maxFiles: number;
}

/**
 * Maximum number of bytes of audit lines that may wait for a slow disk. Lines above this limit are dropped and counted, because requests
 * must not wait for the audit log.
 */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** Time after a failure during which the service does not reopen the file, in ms. */
const REOPEN_MS = 5000;

/**
 * Audit log that writes one JSON line per event. A full or slow disk delays no request. Lines that cannot be written are counted and
 * reported in the log of the service.
 */
export class AuditLog {
  readonly level: AuditLevel;
  readonly #settings: AuditSettings;
  readonly #log: Log;
  #file: RotatingFileStream | undefined;
  #openAgainAt = 0;
  #dropped = 0;

  constructor(settings: AuditSettings, log: Log) {
    this.level = settings.level;
    this.#settings = settings;
    this.#log = log;
  }

  write(event: AuditEvent): void {
    const out = this.#settings.file === '-' ? process.stdout : this.#opened();
    if (!out) return this.#drop('the file cannot be written');
    if (out.writableLength > MAX_WAITING_BYTES) return this.#drop('the disk is too slow');
    out.write(`${JSON.stringify(event)}\n`);
  }

  /** Number of lines that could not be written. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Closes the file. Resolves when all pending lines are written, or when writing them has failed. */
  close(): Promise<void> {
    const file = this.#file;
    if (!file) return Promise.resolve();
    return new Promise((done) => {
      for (const event of ['finish', 'error', 'close'] as const) file.once(event, () => done());
      file.end();
    });
  }

  /** Returns the open file. After a failure, returns undefined until `REOPEN_MS` has passed, and then opens the file again. */
  #opened(): RotatingFileStream | undefined {
    if (this.#file || Date.now() < this.#openAgainAt) return this.#file;
    const file = rotated(this.#settings);
    file.on('error', (error: Error) => {
      if (this.#file === file) this.#file = undefined;
      this.#openAgainAt = Date.now() + REOPEN_MS;
      this.#drop(error.message);
    });
    return (this.#file = file);
  }

  #drop(why: string): void {
    if (this.#dropped++ % 1000 === 0) this.#log.error({ why, dropped: this.#dropped }, 'audit events are lost');
  }
}

function rotated({ file, maxBytes, maxFiles }: AuditSettings): RotatingFileStream {
  const name = basename(file);
  return createStream((index) => (typeof index === 'number' ? `${name}.${index}` : name), {
    path: dirname(file),
    size: `${maxBytes}B`,
    rotate: maxFiles,
    mode: 0o600,
  });
}
