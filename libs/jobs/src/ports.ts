import type { ChunkResult, ChunkSettings, DefinitionReport, DefinitionText, DocumentSlice, PolicyReport, Tally } from '#documents';
import type { Flow, PriceUpdates, Refusal } from '#runner/flow';
import type { JobKind } from './life/job-kind.ts';

/** Data that the storage has about every job. No client waits for a job on an open connection. It survives a restart. */
export interface JobRecord {
  readonly id: string;
  /** Time at which the job was created, in epoch ms. */
  readonly createdAt: number;
  /** Name of the access key that created the job. Only this key may read the job. Undefined if the service requires no key. */
  readonly owner: string | undefined;
  /** Flow to which the job belongs. All work of one flow is scheduled together. */
  readonly flow: Flow;
}

/** Types of the data of one kind of job. */
export interface JobForms {
  readonly record: JobRecord;
  /** Part of a job as a client submits it. */
  readonly part: unknown;
  /** Part of a job as the process that performs the job receives it. */
  readonly body: unknown;
  /** Result of a part. */
  readonly result: unknown;
  /** Note of the process that performs the job: data about the job beside its results, which a later note replaces. */
  readonly note: unknown;
}

/** Types of the data of an evaluation. It has no notes. */
export interface EvaluationForms {
  readonly record: EvaluationRecord;
  readonly part: readonly DocumentSlice[];
  readonly body: JobPart;
  readonly result: ChunkResult;
  readonly note: undefined;
}

/** Data that the storage has about a detached evaluation, which is a job whose results are read later. */
export interface EvaluationRecord extends JobRecord {
  readonly settings: ChunkSettings;
  /** Reports on the definitions that the client sent with the evaluation. */
  readonly definitions: readonly DefinitionReport[];
  /**
   * Answers that a server would give to the creation of the evaluation's policies. Absent if there are no policies, or if this check was
   * stopped.
   */
  readonly policyReports?: readonly PolicyReport[];
}

/**
 * Phase of a job. `failed`: the storage lost some keys of the job, so the job can never be complete. `tooLarge`: the job ended because its
 * next result exceeded the limit for stored results; earlier results are kept.
 */
export type JobPhase = 'receiving' | 'running' | 'complete' | 'cancelled' | 'failed' | 'tooLarge';

/** The progress of a job. A part is a stretch of consecutive items of an evaluation, or a whole study. */
export interface Progress {
  readonly phase: JobPhase;
  /** Number of times that a process began the job. */
  readonly starts: number;
  readonly partsDone: number;
  readonly partsTotal: number;
  readonly tally: Tally;
}

/** Job that a process has begun to perform. */
export interface BegunJob<Forms extends JobForms = EvaluationForms> {
  /** Record of the job. Its deadline is given by the clock of this process. */
  readonly record: Forms['record'];
  /** Number of this start. The store refuses results of all earlier starts. */
  readonly fence: number;
  /** Number of all starts, with this one. */
  readonly starts: number;
  /** Number of starts since the last result of a part was stored, with this one. It exceeds 1 if other starts stored nothing. */
  readonly startsWithoutResult: number;
  /** Number of all parts. */
  readonly parts: number;
  /** Indexes of the parts that have a result. */
  readonly done: ReadonlySet<number>;
  /** CEL cost units that were charged for the parts that have a result. */
  readonly celSpent: number;
  /** Time in ms from the end of the submission to this start. */
  readonly waitedMs: number;
}

/** Part of an evaluation: a stretch of consecutive items. */
export interface JobPart {
  /** Index of the part's first item among the evaluation's items. */
  readonly firstItem: number;
  readonly items: readonly DocumentSlice[];
}

/** Result of a part that is stored. */
export interface PartResult<Forms extends JobForms = EvaluationForms> {
  /** Index of the part in its job, from 0. */
  readonly part: number;
  /** Size of the part, in bytes. The part does not wait any more. */
  readonly bytes: number;
  readonly result: Forms['result'];
  /** Last note of the job; absent if the job has no notes. */
  readonly note?: Forms['note'];
}

/**
 * Answers of {@link JobStore.store}. Only `stored` means that this call stored the result. `duplicate`: the part already has a result.
 * `gone`: the job is over or forgotten, or another start superseded this one. `tooLarge`: the result exceeds the limit for stored results,
 * and the job ends.
 */
export type StoreAnswer = 'stored' | 'duplicate' | 'gone' | 'tooLarge';

/** Load of the jobs in a storage. */
export interface JobDepth {
  /** Number of jobs that are not over. */
  readonly jobs: number;
  /** Number of parts that have no result, of all jobs that are not over. */
  readonly waiting: number;
  /** Total size of these parts, in bytes. */
  readonly waitingBytes: number;
  /** Total size of the stored results, in bytes. */
  readonly resultBytes: number;
}

/**
 * Store of jobs of one kind: work that continues after its request. A process begins a job, gets its parts, and stores their results. If the
 * process dies, another process begins the job again and continues with the parts that have no result. A result is stored only once. Every
 * implementation passes `test/contract.ts`.
 */
export interface JobStore<Forms extends JobForms = EvaluationForms> {
  /** Adds a job with its parts in order, or returns the reason for refusing it. Nothing is stored for a refused job. */
  submit(record: Forms['record'], parts: readonly Forms['part'][]): Promise<'accepted' | 'exists' | Refusal>;
  /**
   * Begins to perform a job. All earlier starts lose the right to store results. Returns undefined if the job is over, unknown, or not yet
   * received completely.
   */
  begin(id: string): Promise<BegunJob<Forms> | undefined>;
  /**
   * Returns a part of a begun job that has no result. Returns undefined if the job is over or another start superseded this one. If the
   * storage lost the part, the job ends as `failed`.
   */
  part(job: BegunJob<Forms>, part: number): Promise<Forms['body'] | undefined>;
  /** Stores the result of a part of a begun job. */
  store(job: BegunJob<Forms>, result: PartResult<Forms>): Promise<StoreAnswer>;
  /**
   * Stores a note of a begun job, in place of its last note. A job that was cancelled still takes notes of its last start. Returns false if
   * the job does not take the note, because it is over in another way or another start superseded this one.
   */
  note(job: BegunJob<Forms>, note: Forms['note']): Promise<boolean>;
  /** Returns false for each begun job that must be stopped, because it is over or another start superseded this one. */
  held(jobs: readonly BegunJob<Forms>[]): Promise<readonly boolean[]>;
  /** Returns the load of all jobs of this kind, for metrics and readiness checks. */
  depth(): Promise<JobDepth>;
  /** Cancels a job: drops its waiting parts and stops its work. Returns false if no job with this id is receiving or running. */
  cancel(id: string): Promise<boolean>;
  /** Drops a job with its record, parts and results. */
  forget(id: string): Promise<void>;
  /** Returns the ids of at most `most` stored jobs, newest first. */
  list(most: number): Promise<readonly string[]>;
  record(id: string): Promise<Forms['record'] | undefined>;
  progress(id: string): Promise<Progress | undefined>;
  /** Returns the last note of a job. Returns undefined if the job is unknown or has no note. */
  noted(id: string): Promise<Forms['note'] | undefined>;
  /**
   * Waits for the result of a part and returns it. Returns undefined if `signal` is aborted or the result will never exist. A result never
   * exists if the job is unknown, cancelled, failed, or has no such part.
   */
  result(id: string, part: number, signal?: AbortSignal): Promise<Forms['result'] | undefined>;
  /** Resolves at the next change of a job's progress, or when `signal` is aborted. */
  changed(id: string, signal: AbortSignal): Promise<void>;
  /** Calls `listener` with the id of every job that is cancelled from now on. Returns a function that removes the listener. */
  onCancelled(listener: (id: string) => void): () => void;
  /**
   * Calls `listener` with each end that this process caused or detected. Some ends are detected when the process takes over the work of an
   * earlier process. If several processes share a storage, exactly one process receives each end, once. No process receives the end of a
   * job that was deleted before its end, or whose data the storage lost completely. Returns a function that removes the listener.
   */
  onEnded(listener: (ended: EndedJob) => void): () => void;
}

/**
 * Performs a job until it is over. Returns `retry` if the signal was aborted before, so that the job must be performed again. Rejects if
 * the storage does not answer; the job is then performed again.
 */
export type PerformJob = (id: string, signal: AbortSignal) => Promise<'over' | 'retry'>;

/**
 * Line in which jobs of one kind wait until a process performs them. Each priority level of evaluations has its own line, so that no level
 * starves. A line contains only the first jobs of a {@link Flow}. A flow with many jobs therefore does not delay the others.
 */
export interface JobLine {
  /**
   * Performs the jobs of the line, at most `most` of a level at the same time. Returns a function that ends this. The function aborts the
   * signals of all running jobs, and resolves when they are back in the line.
   */
  serve(perform: PerformJob, most?: number): () => Promise<void>;
}

/** Jobs of one kind: their store, and the line in which they wait. */
export interface JobQueue<Forms extends JobForms = EvaluationForms> {
  readonly jobs: JobStore<Forms>;
  readonly line: JobLine;
}

/**
 * Kind of end of a job. `cancelled`: a client requested it, the deadline passed while no process was left that performs jobs, or the
 * submission stopped before all parts were received. `tooLarge`: a result exceeded the limit for stored results. `lost`: the storage lost
 * part of the job.
 */
export type JobEnd = 'complete' | 'cancelled' | 'lost' | 'tooLarge';

/** Job that ended, and the kind of its end. Its record and progress may no longer be readable, because it may have been deleted since. */
export interface EndedJob {
  readonly id: string;
  readonly end: JobEnd;
}

/**
 * Holder of a stored definition: the {@link Flow} that is charged for the storage. `leftMs` is the remaining time in ms of the flow's
 * evaluation that uses the definition.
 */
export interface DefinitionHolder {
  readonly flow: Flow;
  readonly leftMs: number;
  /** Digest under which the flow already stores the same text and is charged for it. */
  readonly keptAs?: string | undefined;
}

/** Port that stores definition texts by digest. */
export interface DefinitionStore {
  /**
   * Stores a text until the holder's evaluation is over, plus a short additional time. Returns the reason if a limit prevents storing the
   * text.
   */
  put(text: DefinitionText, holder: DefinitionHolder): Promise<Refusal | undefined>;
  get(digest: string): Promise<DefinitionText | undefined>;
}

/** Request for tokens of a rate limit that several processes share. */
export interface TokenRequest {
  /** Unique name of the rate limit. Each rate limit applies to one client. */
  readonly name: string;
  /** Number of tokens that the rate limit gains per second. */
  readonly perSecond: number;
  /** Maximum number of tokens that the rate limit accumulates. */
  readonly size: number;
  /** Number of whole tokens that the process requests. */
  readonly tokens: number;
}

/** Answer to a {@link TokenRequest}: tokens of a rate limit that a process received. The process may use the tokens at any time. */
export interface TokenGrant {
  readonly tokens: number;
  /** Time in ms until another token is available; 0 if one is available now. */
  readonly waitMs: number;
  /** Number of processes that requested tokens recently, including this process. */
  readonly processes: number;
}

/** Port for rate limits that apply across all processes that share a storage. */
export interface TokenStore {
  /**
   * Takes tokens from several rate limits. Each grant contains the requested tokens, or fewer if fewer are available. If a request is sent
   * twice, its tokens are taken twice.
   */
  take(requests: readonly TokenRequest[]): Promise<readonly TokenGrant[]>;
}

/** Port through which the processes that share a storage exchange the prices (expected times) of items. */
export interface PriceStore {
  /**
   * Reports the prices (expected times per item) that this process measured. Returns the known prices for the digests in `news.wanted`, in
   * ms by definition digest.
   */
  exchange(news: PriceUpdates): Promise<ReadonlyMap<string, number>>;
}

/** Port that stores the thread time that the studies of each client use. */
export interface ThreadTimeStore {
  /** Adds `ms` to the thread time that a client used on `day`, such as `2027-01-31`. Drops the thread times of earlier days. */
  charge(day: string, client: string, ms: number): Promise<void>;
  /** Returns the thread time in ms that a client used on a day. */
  charged(day: string, client: string): Promise<number>;
}

/** All ports of one queue adapter, embedded or over Redis. Its own jobs are evaluations. */
export interface QueueAdapter extends JobQueue {
  /**
   * Opens the jobs of another kind, which wait in a line of their own, one of a flow at a time. Their number and size are not limited here.
   * Must be called at most once.
   */
  open<Forms extends JobForms>(kind: JobKind<Forms>): JobQueue<Forms>;
  readonly threadTime: ThreadTimeStore;
  readonly definitions: DefinitionStore;
  /** Shared rate limits. Absent if only one process uses the storage, because that process counts its own tokens. */
  readonly tokens?: TokenStore;
  /** Shared prices (expected times per item). Absent if only one process uses the storage, because that process keeps its own prices. */
  readonly prices?: PriceStore;
  /**
   * Writes a small value in the same way as jobs are written. Rejects if the storage cannot be written. Used for readiness checks.
   */
  probe(): Promise<void>;
  close(): Promise<void>;
}
