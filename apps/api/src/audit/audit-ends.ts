import { setTimeout } from 'node:timers/promises';
import type { EndedEvaluation, EvaluationRecord, Progress, QueueAdapter } from '#queue';
import { traceOf } from '#telemetry';
import { summaryOf } from './audit-event.ts';
import type { AuditLevel, EndEvent } from './audit-event.ts';
import type { AuditLog } from './audit-log.ts';

/** A line waits so long for what the storage has of its evaluation, ms. */
const READ_MS = 1000;

/** An evaluation as it could be read after its end. */
interface Known {
  readonly record: EvaluationRecord | undefined;
  readonly progress: Progress | undefined;
}

/** Writes an audit event for each asynchronous evaluation whose end this process is told. */
export class AuditedEnds {
  readonly #queue: Pick<QueueAdapter, 'ends' | 'results'>;
  readonly #audit: AuditLog;
  readonly #writing = new Set<Promise<void>>();

  /**
   * Begins to listen at once, unless nothing is audited.
   *
   * @param queue the queue of asynchronous evaluations
   */
  constructor(queue: Pick<QueueAdapter, 'ends' | 'results'>, audit: AuditLog) {
    this.#queue = queue;
    this.#audit = audit;
    if (audit.level === 'none') return;
    queue.ends.onEnded((ended) => {
      const writing = this.#write(ended).finally(() => this.#writing.delete(writing));
      this.#writing.add(writing);
    });
  }

  /** Resolves when the lines of all ends that were told are written. */
  async written(): Promise<void> {
    await Promise.all(this.#writing);
  }

  async #write(ended: EndedEvaluation): Promise<void> {
    const { results } = this.#queue;
    const at = new Date();
    const [record, progress] = await Promise.all([ifRead(() => results.record(ended.id)), ifRead(() => results.progress(ended.id))]);
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

/** Returns what is read in time; undefined if it cannot be read. */
async function ifRead<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await Promise.race([read(), setTimeout(READ_MS, undefined, { ref: false })]);
  } catch {
    return undefined;
  }
}
