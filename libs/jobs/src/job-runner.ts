import { epochNow } from '#documents';
import { emitSpans } from '#telemetry';
import type { Telemetry } from '#telemetry';
import type { BegunJob, EvaluationForms, JobForms, JobQueue } from './ports.ts';

/**
 * Interval in ms at which a process asks if its jobs are still its own. A cancellation whose message is lost is delayed by at most this
 * interval.
 */
const HELD_MS = 1000;

/** Parts from which a {@link JobRunner} is built. */
export interface JobRunnerPorts<Forms extends JobForms> {
  /** Kind of the jobs, for logs and metrics. */
  readonly kind: 'evaluation' | 'study';
  readonly queue: JobQueue<Forms>;
  /** Maximum number of jobs of a level that this process performs at the same time. Absent: the default of the line. */
  readonly most?: number;
  /** Returns the W3C traceparent of a job; undefined if it is not traced. */
  readonly traceparentOf: (record: Forms['record']) => string | undefined;
  readonly telemetry: Telemetry;
  /** Name of this process in traces. */
  readonly node: string;
  /**
   * Performs a begun job until all its results are stored, or until `signal` is aborted. After that, no result must be stored. Rejects if the
   * storage does not answer.
   */
  readonly perform: (job: BegunJob<Forms>, signal: AbortSignal) => Promise<void>;
}

/**
 * Runner of the jobs of one kind that this process takes from the line. It begins each job, reports if another process left it unfinished, and stops it
 * when it is cancelled, forgotten, or begun by another process.
 */
export class JobRunner<Forms extends JobForms = EvaluationForms> {
  readonly #ports: JobRunnerPorts<Forms>;
  readonly #running = new Map<BegunJob<Forms>, AbortController>();
  #stopServing: (() => Promise<void>) | undefined;
  #stopListening: (() => void) | undefined;
  #checking: NodeJS.Timeout | undefined;

  constructor(ports: JobRunnerPorts<Forms>) {
    this.#ports = ports;
  }

  /** Starts to take jobs. The engine must have started. */
  start(): void {
    const { jobs, line } = this.#ports.queue;
    this.#stopListening = jobs.onCancelled((id) => {
      for (const [{ record }, lost] of this.#running) if (record.id === id) lost.abort();
    });
    this.#checking = setInterval(() => void this.#check().catch(() => undefined), HELD_MS);
    this.#stopServing = line.serve((id, signal) => this.#perform(id, signal), this.#ports.most);
  }

  /** Stops taking jobs. Resolves when no job runs any more, and all unfinished jobs are back in the line. */
  async stop(): Promise<void> {
    clearInterval(this.#checking);
    await this.#stopServing?.();
    this.#stopListening?.();
  }

  async #perform(id: string, leaving: AbortSignal): Promise<'over' | 'retry'> {
    const job = await this.#ports.queue.jobs.begin(id);
    if (!job) return 'over';
    this.#report(job);
    const lost = new AbortController();
    this.#running.set(job, lost);
    try {
      await this.#ports.perform(job, AbortSignal.any([leaving, lost.signal]));
      return leaving.aborted && !lost.signal.aborted ? 'retry' : 'over';
    } catch (error) {
      const { telemetry, kind } = this.#ports;
      telemetry.log.error({ err: error, [kind]: id }, 'a job could not be performed, and is performed again');
      throw error;
    } finally {
      this.#running.delete(job);
    }
  }

  /** Reports the start of a job: a span for its wait, and a log line and a count if another process left it unfinished. */
  #report({ record, parts, done, waitedMs, starts, startsWithoutResult }: BegunJob<Forms>): void {
    const { kind, telemetry, node, traceparentOf } = this.#ports;
    const endMs = epochNow();
    const attributes = { 'assay.node': node, 'assay.job.taken_over': starts > 1, 'assay.job.parts_done': done.size };
    const traceparent = traceparentOf(record);
    if (traceparent !== undefined)
      emitSpans([{ name: 'wait in line', startMs: endMs - waitedMs, endMs, attributes, children: [] }], traceparent);
    if (starts < 2) return;
    telemetry.metrics.counters.takenOverWork.add(1, { kind });
    const what =
      kind === 'study'
        ? 'a study that another process left unfinished begins again here'
        : 'an evaluation that another process left unfinished continues here';
    telemetry.log.info({ [kind]: record.id, parts, done: done.size, startsWithoutResult }, what);
  }

  /** Stops each job that is over, or that another process has begun. */
  async #check(): Promise<void> {
    const jobs = [...this.#running.keys()];
    if (jobs.length === 0) return;
    const held = await this.#ports.queue.jobs.held(jobs);
    for (const [i, job] of jobs.entries()) if (held[i] === false) this.#running.get(job)?.abort();
  }
}
