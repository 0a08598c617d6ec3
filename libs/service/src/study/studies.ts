import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { StudyReport } from '#benchmark';
import { steadyNow } from '#documents';
import { internalErrorStatus } from '#kube';
import { JobRunner } from '#jobs';
import type { BegunJob, EndedJob, JobStore, QueueAdapter, QueueLimits } from '#jobs';
import type { Engine, FleetSeats } from '#runner';
import type { Flow } from '#runner/flow';
import { traceparentOf } from '#telemetry';
import type { Span, Telemetry } from '#telemetry';
import { OwnedJobs, submitJob, submittedJob } from '../jobs/owned-jobs.ts';
import type { MayRead, StoredJob } from '../jobs/owned-jobs.ts';
import { answered, refused } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { chargedClient, exceededStudyLimit, excessStudies, ThreadTime } from './study-limits.ts';
import type { RoomRequest } from './study-limits.ts';
import { LiveStudy, noFindings } from './live-study.ts';
import { performStudyJob } from './study-performance.ts';
import { STUDY_JOBS } from './study-life.ts';
import type { StudyForms, StudyNote, StudyPhase, StudyRecord, StudyState } from './study-life.ts';
import { orderBytes, ownOrder } from './study-order.ts';
import type { StudyOrder } from './study-order.ts';
import { backgroundThreads } from '#runner';

/** Maximum number of studies that run at the same time. Fewer studies run if there are not enough threads. */
const MAX_STUDIES = 4;

/** Division of the background threads among studies. */
interface ThreadShares {
  /** Number of threads for each study. */
  readonly threads: number;
  /** Maximum number of studies that run at the same time. */
  readonly studies: number;
}

/**
 * Returns the number of background threads that each study gets, and the number of studies that run at the same time. `threads` is the
 * number of the engine's regular threads, which determines the number of background threads.
 */
function threadShares(threads: number): ThreadShares {
  const free = backgroundThreads(threads);
  const each = Math.ceil(free / MAX_STUDIES);
  return { threads: each, studies: Math.floor(free / each) };
}

/** Maximum age in ms of the list of studies by which a study may be refused without reading the storage. */
const LISTED_MS = 250;

/** Objects and functions that {@link Studies} gets from its environment. */
export interface StudiesPorts {
  readonly queue: Pick<QueueAdapter, 'open' | 'threadTime'>;
  readonly engine: Engine;
  /** Free engine threads of other processes for cells of studies; undefined if there are none. */
  readonly seats?: FleetSeats | undefined;
  /** False if this process only accepts orders and performs no studies. */
  readonly performs: boolean;
  readonly limits: QueueLimits;
  readonly telemetry: Telemetry;
  /** Name of this process in traces. */
  readonly node: string;
  /** Names of the runtime and the processor, which reports contain. */
  readonly machine: Pick<StudyReport, 'node' | 'cpu'>;
  /** Returns the current time in epoch ms from a clock that does not jump; {@link steadyNow} by default. */
  readonly now?: () => number;
}

/** Client that submits an order for a study of rules. */
export interface StudyClient {
  readonly owner: string | undefined;
  readonly flow: Flow;
  readonly span: Span | undefined;
  /** Thread time in ms that the client's studies may use each day. */
  readonly dayMs: number;
}

/** Study that is stored. */
interface StoredStudy {
  readonly record: StudyRecord;
  readonly phase: StudyPhase;
  /** Time of the end in epoch ms, and size of the report in bytes; undefined if the study has not ended. */
  readonly end: { readonly endedAt: number; readonly reportBytes: number } | undefined;
}

/**
 * Service for studies of rules. A study is a job: it continues after the request that started it, and begins again in another process if
 * its process ends. At most one study of each {@link Flow} runs at a time, behind evaluations. Reports are stored for a limited time.
 */
export class Studies {
  readonly #ports: StudiesPorts;
  readonly #jobs: JobStore<StudyForms>;
  readonly #owned: OwnedJobs<StudyForms>;
  readonly #now: () => number;
  readonly #shares: ThreadShares;
  readonly #time: ThreadTime;
  readonly #runner: JobRunner<StudyForms>;
  /** Studies that this process currently performs, by id. */
  readonly #running = new Map<string, LiveStudy>();
  /**
   * Promise that resolves when all previous orders were admitted or refused. Each order waits for it, because the limits also count the
   * orders before it.
   */
  #admitting: Promise<unknown> = Promise.resolve();
  #listed: { readonly at: number; readonly studies: StoredStudy[] } | undefined;

  constructor(ports: StudiesPorts) {
    const { queue, engine, telemetry, node } = ports;
    this.#ports = ports;
    const opened = queue.open(STUDY_JOBS);
    this.#jobs = opened.jobs;
    this.#owned = new OwnedJobs(opened.jobs);
    this.#jobs.onEnded((ended) => this.#count(ended));
    this.#now = ports.now ?? steadyNow;
    this.#shares = threadShares(engine.threads);
    this.#time = new ThreadTime(queue.threadTime, this.#now);
    this.#runner = new JobRunner({
      kind: 'study',
      queue: opened,
      telemetry,
      node,
      most: this.#shares.studies,
      traceparentOf: ({ traceparent }) => traceparent,
      perform: (job, signal) => this.#perform(job, signal),
    });
  }

  /** Starts to perform studies, unless this process only accepts them. */
  start(): void {
    if (this.#ports.performs) this.#runner.start();
  }

  /** Stops all studies of this process, and resolves when none of their work runs any more. They begin again in another process. */
  stop(): Promise<void> {
    return this.#runner.stop();
  }

  /**
   * Accepts an order and returns the new study's state. Returns a refusal with status 429 if the study exceeds a limit or the client's
   * thread time.
   */
  submit(order: StudyOrder, client: StudyClient): Promise<Outcome<StudyState>> {
    const admitted = this.#admitting.then(() => this.#admit(order, client));
    // Refusals need no storage. Without a pause between them, the refusals of a thousand orders would keep all other requests waiting.
    this.#admitting = admitted.catch(() => undefined).then(() => setImmediate());
    return admitted;
  }

  async #admit(order: StudyOrder, client: StudyClient): Promise<Outcome<StudyState>> {
    const record = recordOf(order, client, { bytes: orderBytes(order), now: this.#now() });
    const request = { record, dayMs: client.dayMs, threads: this.#shares.threads };
    // If a thousand orders come at once, the cached list rejects most of them without reading the storage.
    const listed = this.#listed;
    const full =
      listed && performance.now() - listed.at < LISTED_MS ? this.#refusal({ ...request, spentMs: 0 }, listed.studies) : undefined;
    if (full) return full;
    const studies = [...(await this.#withoutExcess())];
    this.#listed = { at: performance.now(), studies };
    const noRoom = this.#refusal({ ...request, spentMs: await this.#time.spent(chargedClient(record)) }, studies);
    if (noRoom) return noRoom;
    await submitJob(this.#jobs, record, [ownOrder(order)]);
    studies.push({ record, phase: 'waiting', end: undefined });
    return answered(stateOf(submittedJob(record, 1), undefined));
  }

  /** Returns a refusal if the stored studies exceed a limit or use up the client's thread time; undefined if the order can be accepted. */
  #refusal(request: RoomRequest, studies: readonly StoredStudy[]): Outcome<StudyState> | undefined {
    const { limits, telemetry } = this.#ports;
    const open = studies
      .filter(({ end }) => end === undefined)
      .map(({ record, phase }) => ({ record, phase, figures: this.#running.get(record.id)?.figures }));
    const noRoom = exceededStudyLimit(request, open, limits, this.#now());
    if (noRoom === undefined) return undefined;
    telemetry.metrics.counters.rejectedRequests.add(1, { level: request.record.flow.level, reason: noRoom.reason });
    return refused(noRoom.status);
  }

  /**
   * Returns at most `most` studies, newest first. `mayRead` must return true for the owner of each study.
   *
   * @param definition name of a definition; only ended studies of it are returned. Undefined for all studies
   */
  async list(most: number, mayRead: MayRead, definition?: string): Promise<readonly StudyState[]> {
    const studies = await this.#owned.list(definition === undefined ? most : Infinity, mayRead);
    const states = await Promise.all(studies.map(async (study) => stateOf(study, await this.#noteOf(study))));
    if (definition === undefined) return states;
    return states.filter(({ definitions = [] }) => definitions.some((one) => one.definition === definition)).slice(0, most);
  }

  /** Returns a study if `mayRead` returns true for its owner. Returns undefined otherwise, and if the study is unknown. */
  async find(id: string, mayRead: MayRead): Promise<StudyState | undefined> {
    const study = await this.#owned.find(id, mayRead);
    return study && stateOf(study, await this.#noteOf(study));
  }

  /**
   * Returns the report of a study; undefined if the study is unknown. For a study that was not completed, the report contains the findings so
   * far.
   */
  async report(id: string): Promise<StudyReport | undefined> {
    const { machine } = this.#ports;
    const own = this.#running.get(id);
    if (own) return own.partialReport(machine);
    const record = await this.#jobs.record(id);
    if (record === undefined) return undefined;
    const report = (await this.#jobs.result(id, 0, AbortSignal.abort())) ?? (await this.#jobs.noted(id))?.report;
    return report ?? { ...noFindings(record), ...machine };
  }

  /** Resolves at the next change of a study, or when `signal` is aborted. It may also resolve without a change. */
  changed(id: string, signal: AbortSignal): Promise<void> {
    return this.#owned.changed(id, signal);
  }

  /**
   * Cancels a study, which keeps its findings so far. Resolves when none of its work runs in this process any more; its work in another
   * process ends soon after. Deletes the study if it has already ended.
   */
  async remove(id: string): Promise<void> {
    await this.#owned.remove(id);
    await this.#running.get(id)?.settled.promise;
  }

  /** Number of studies that this process performs. */
  get running(): number {
    return this.#running.size;
  }

  /** Returns the number of studies of all processes that have not ended. */
  async unfinished(): Promise<number> {
    return (await this.#jobs.depth()).jobs;
  }

  /** Calls `listener` with each study whose end is reported to this process. Exactly one process receives each end. */
  onEnded(listener: (ended: EndedJob) => void): void {
    this.#jobs.onEnded(listener);
  }

  async #perform(job: BegunJob<StudyForms>, signal: AbortSignal): Promise<void> {
    const study = new LiveStudy(job.record, job.starts - 1);
    this.#running.set(job.record.id, study);
    const { engine, seats, telemetry, machine } = this.#ports;
    const { threads } = this.#shares;
    const ports = { jobs: this.#jobs, time: this.#time, engine, seats, telemetry, machine, threads, now: this.#now };
    try {
      await performStudyJob(ports, job, study, signal);
    } finally {
      this.#running.delete(job.record.id);
      study.settled.resolve(undefined);
    }
  }

  /** Counts a study that ended. Its place is free. */
  #count({ id, end }: EndedJob): void {
    this.#listed = undefined;
    const isFailed = end === 'lost' || end === 'tooLarge' || (end === 'complete' && this.#running.get(id)?.isFailed === true);
    this.#ports.telemetry.metrics.counters.studiesEnded.add(1, { end: isFailed ? 'failed' : end });
  }

  /**
   * Returns the progress note of a study: from memory if this process performs the study, otherwise from the store. Undefined if there is
   * no note.
   */
  async #noteOf({ record: { id } }: StoredJob<StudyForms>): Promise<StudyNote | undefined> {
    return this.#running.get(id)?.note ?? (await this.#jobs.noted(id));
  }

  /** Deletes the oldest reports if there are too many, and returns all studies that remain stored. */
  async #withoutExcess(): Promise<readonly StoredStudy[]> {
    const studies = await this.#owned.list(Infinity, () => true);
    const stored = await Promise.all(
      // Leaves out the note of a running study, because it holds the findings so far and may be large.
      studies.map(async (study) => storedStudy(study, study.progress.phase === 'running' ? undefined : await this.#noteOf(study))),
    );
    const excess = new Set(excessStudies(stored, this.#ports.limits));
    for (const { record } of excess) await this.#jobs.forget(record.id);
    return stored.filter((study) => !excess.has(study));
  }
}

/** Returns a study with what the limits of studies depend on. */
function storedStudy(job: StoredJob<StudyForms>, note: StudyNote | undefined): StoredStudy {
  const { record } = job;
  const phase = phaseOf(job, note);
  const { endedAt = record.createdAt, reportBytes = 0 } = note ?? {};
  return { record, phase, end: phase === 'waiting' || phase === 'running' ? undefined : { endedAt, reportBytes } };
}

/** Returns the state of a study, from its job and from the note about it. */
function stateOf(job: StoredJob<StudyForms>, note: StudyNote | undefined): StudyState {
  const phase = phaseOf(job, note);
  return {
    record: job.record,
    phase,
    restarts: Math.max(0, job.progress.starts - 1),
    progress: note?.progress,
    latest: phase === 'running' ? note?.latest : undefined,
    threadMs: note?.threadMs ?? 0,
    definitions: note?.definitions,
    status: phase === 'failed' ? (note?.status ?? internalErrorStatus('the service lost the study')) : undefined,
  };
}

function phaseOf({ progress: { phase, starts } }: StoredJob<StudyForms>, note: StudyNote | undefined): StudyPhase {
  if (phase === 'receiving' || (phase === 'running' && starts === 0)) return 'waiting';
  if (phase === 'running' || phase === 'cancelled') return phase;
  return phase === 'complete' && note && note.phase !== 'running' ? note.phase : 'failed';
}

/** Returns the record of a new study. The study has the priority level `low`, so that evaluations run first. */
function recordOf(
  { budgetMs, seed, base, options }: StudyOrder,
  { owner, flow, span }: StudyClient,
  { bytes, now }: { readonly bytes: number; readonly now: number },
): StudyRecord {
  return {
    // The id has 122 random bits, so nobody can guess it.
    id: randomUUID(),
    createdAt: now,
    owner,
    flow: { ...flow, level: 'low' },
    bytes,
    kubernetesVersion: options.kubernetesVersion,
    budgetMs,
    seed,
    base: base?.name,
    traceparent: span && traceparentOf(span),
  };
}
