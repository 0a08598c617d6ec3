import { setTimeout } from 'node:timers/promises';
import type { EndedEvaluation, EvaluationRecord, JobStore, Progress } from '#queue';
import { traceOf } from '#telemetry';
import { summaryOf } from './audit-event.ts';
import type { AuditLevel, EndEvent } from './audit-event.ts';
import type { AuditLog } from './audit-log.ts';

/** Longest time, in ms, that an audit line waits until the storage returns the data of the line's evaluation. */
const READ_MS = 1000;

/** Data of an ended evaluation. A field is undefined if it could not be read from the storage. */
interface Known {
  readonly record: EvaluationRecord | undefined;
  readonly progress: Progress | undefined;
}

/** Writer of audit events for asynchronous evaluations. It writes one event for each evaluation whose end is reported to this process. */
export class AuditedEnds {
  readonly #jobs: Pick<JobStore, 'onEnded' | 'record' | 'progress'>;
  readonly #audit: AuditLog;
  readonly #writing = new Set<Promise<void>>();

  /**
   * Creates the writer. Unless the audit level is `none`, it listens for the ends of evaluations from now on.
   *
   * @param jobs storage of asynchronous evaluations
   */
  constructor(jobs: Pick<JobStore, 'onEnded' | 'record' | 'progress'>, audit: AuditLog) {
    this.#jobs = jobs;
    this.#audit = audit;
    if (audit.level === 'none') return;
    jobs.onEnded((ended) => {
      const writing = this.#write(ended).finally(() => this.#writing.delete(writing));
      this.#writing.add(writing);
    });
  }

  /** Resolves when the audit lines of all reported ends are written. */
  async written(): Promise<void> {
    await Promise.all(this.#writing);
  }

  async #write(ended: EndedEvaluation): Promise<void> {
    const at = new Date();
    const [record, progress] = await Promise.all([ifRead(() => this.#jobs.record(ended.id)), ifRead(() => this.#jobs.progress(ended.id))]);
    this.#audit.write(eventOf(ended, at, this.#audit.level, { record, progress }));
  }
}

function eventOf({ id, end }: EndedEvaluation, at: Date, level: AuditLevel, { record, progress }: Known): EndEvent {
  const { traceId } = traceOf(record?.settings.traceparent);
  return {
    kind: 'Event',
    apiVersion: 'audit.assay/v1',
    level,
    ...(traceId !== undefined && { traceID: traceId }),
    stage: 'EvaluationEnded',
    ...(record && { user: record.owner === undefined ? {} : { username: record.owner } }),
    stageTimestamp: at.toISOString(),
    evaluation: id,
    end,
    ...(progress && { summary: summaryOf(progress.tally) }),
  };
}

/** Returns the value that `read` resolves to. Returns undefined if `read` fails or takes longer than `READ_MS`. */
async function ifRead<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await Promise.race([read(), setTimeout(READ_MS, undefined, { ref: false })]);
  } catch {
    return undefined;
  }
}
