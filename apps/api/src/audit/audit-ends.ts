import { setTimeout } from 'node:timers/promises';
import type { EndedJob, JobStore } from '#jobs';
import type { Studies } from '#service';
import { traceOf } from '#telemetry';
import { summaryOf } from './audit-log.ts';
import type { EndEvent, EventFrame, StudyEndEvent, AuditLog } from './audit-log.ts';

/** Longest time, in ms, that an audit line waits until the storage returns the data of the line's job. */
const READ_MS = 1000;

/** Fields of an audit line that depend on the kind of the job. */
type End = Omit<EndEvent, keyof EventFrame> | Omit<StudyEndEvent, keyof EventFrame>;

/** End of a job as an audit line describes it. */
interface DescribedEnd {
  readonly end: End;
  /** W3C traceparent of the job; undefined if it is not traced or not known any more. */
  readonly traceparent: string | undefined;
}

/** Writer of audit events for jobs. It writes one event for each job whose end is reported to this process. */
export class AuditedEnds {
  readonly #audit: AuditLog;
  readonly #writing = new Set<Promise<void>>();

  constructor(audit: AuditLog) {
    this.#audit = audit;
  }

  /** Writes an event for each evaluation that ends from now on, unless the audit level is `none`. */
  ofEvaluations(jobs: Pick<JobStore, 'onEnded' | 'record' | 'progress'>): void {
    this.#listen(jobs, async ({ id, end }) => {
      const [record, progress] = await Promise.all([ifRead(() => jobs.record(id)), ifRead(() => jobs.progress(id))]);
      const summary = progress && { summary: summaryOf(progress.tally) };
      return {
        end: { stage: 'EvaluationEnded', evaluation: id, end, ...userOf(record), ...summary },
        traceparent: record?.settings.traceparent,
      };
    });
  }

  /** Writes an event for each study that ends from now on, unless the audit level is `none`. */
  ofStudies(studies: Pick<Studies, 'onEnded' | 'find'>): void {
    this.#listen(studies, async ({ id, end }) => {
      const state = await ifRead(() => studies.find(id, () => true));
      const phase = state?.phase ?? (end === 'cancelled' || end === 'complete' ? end : 'failed');
      const known = state && { threadMs: state.threadMs };
      return {
        end: { stage: 'StudyEnded', benchmark: id, end: phase, ...userOf(state?.record), ...known },
        traceparent: state?.record.traceparent,
      };
    });
  }

  /** Resolves when the audit lines of all reported ends are written. */
  async written(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #listen(ends: { onEnded(listener: (ended: EndedJob) => void): unknown }, describe: (ended: EndedJob) => Promise<DescribedEnd>): void {
    if (this.#audit.level === 'none') return;
    ends.onEnded((ended) => {
      const writing = this.#write(describe(ended)).finally(() => this.#writing.delete(writing));
      this.#writing.add(writing);
    });
  }

  async #write(described: Promise<DescribedEnd>): Promise<void> {
    const stageTimestamp = new Date().toISOString();
    const { end, traceparent } = await described;
    const { traceId } = traceOf(traceparent);
    const { level } = this.#audit;
    const frame = { kind: 'Event', apiVersion: 'audit.assay/v1', level, stageTimestamp } as const;
    this.#audit.write({ ...frame, ...(traceId !== undefined && { traceID: traceId }), ...end });
  }
}

const userOf = (record: { readonly owner: string | undefined } | undefined): { readonly user?: { readonly username?: string } } =>
  record ? { user: record.owner === undefined ? {} : { username: record.owner } } : {};

/** Returns the value that `read` resolves to. Returns undefined if `read` fails or takes longer than `READ_MS`. */
async function ifRead<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await Promise.race([read(), setTimeout(READ_MS, undefined, { ref: false })]);
  } catch {
    return undefined;
  }
}
