import type {
  Chunk,
  ChunkResult,
  ChunkSettings,
  DefinitionReport,
  DefinitionText,
  DocumentSlice,
  PolicyReport,
  RunLimits,
  Tally,
} from '#evaluation';
import type { Flow, QueueKey } from './flow/flow.ts';
import type { Refusal } from './flow/flow-load.ts';
import type { PriceNews } from './flow/price-book.ts';
import type { Level } from './flow/level.ts';

/** An evaluation as the queue knows it. */
export interface EvaluationRecord {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /**
   * True if no client waits for the evaluation on an open connection. A detached evaluation survives a restart, and its results are read
   * later.
   */
  readonly detached: boolean;
  /**
   * Name of the access key that created the evaluation. Only this key may read the evaluation. Undefined if the service requires no key.
   */
  readonly owner: string | undefined;
  /** Flow to which the evaluation belongs. All work of one flow is scheduled together. */
  readonly flow: Flow;
  /** Expected time of an item on a seat, ms. */
  readonly itemMs: number;
  readonly settings: ChunkSettings;
  /** Reports on the definitions that came with it. */
  readonly definitions: readonly DefinitionReport[];
  /** Answers of the server to the creation of the evaluation's policies. Absent if there are no policies, or if this check was stopped. */
  readonly policyReports?: readonly PolicyReport[];
}

/**
 * Phase of an evaluation. `failed`: the storage lost some of its keys, so the evaluation can never be complete. `tooLarge`: the evaluation
 * was ended because there was no room for more results; earlier results are kept.
 */
export type EvaluationPhase = 'receiving' | 'running' | 'complete' | 'cancelled' | 'failed' | 'tooLarge';

/** The progress of an evaluation. */
export interface Progress {
  readonly phase: EvaluationPhase;
  readonly chunksDone: number;
  readonly chunksTotal: number;
  readonly tally: Tally;
}

/** Chunk that one consumer has claimed, with its lease. */
export interface Claim {
  readonly chunk: Chunk;
  /** Number of earlier claims of this chunk. It exceeds 0 if a consumer released the chunk or stopped responding. */
  readonly earlierClaims: number;
  /** Unique name of this claim. It works as a fence: a late commit by a superseded consumer is recognized by its old name. */
  readonly lease: string;
  /** The place of its evaluation in a fair queue. */
  readonly queueKey: QueueKey;
  /** Time in ms from queuing the chunk to its claim. */
  readonly waitedMs: number;
  /** CEL cost units that the evaluation's committed chunks were charged. */
  readonly celSpent: number;
  /** Expected time on a seat in ms. The flow is charged this time until the actual time is known. */
  readonly expectedMs: number;
  /** Number of stored results of earlier items of the chunk ({@link WorkQueue.divide}); absent if there are none. */
  readonly parts?: number;
}

/** The answer to a result ({@link WorkQueue.commit}). */
export type CommitAnswer = 'stored' | 'duplicate' | 'gone' | 'tooLarge';

/** Numbers that describe the content of a queue. */
export interface Depth {
  /** Number of waiting chunks. */
  readonly waiting: number;
  readonly claimed: number;
  readonly waitingBytes: number;
  /** Bytes of the kept results of detached evaluations. */
  readonly resultBytes: number;
  /** Chunks that all consumers together can run at a time. */
  readonly seats: number;
  readonly levels: Readonly<Record<Level, { readonly waiting: number; readonly claimed: number }>>;
}

/**
 * Port that passes chunks from producers to consumers, at least once. A chunk may be claimed again after a release, an expired lease, or a
 * restart; its result is stored once. When a consumer is free, the next chunk is chosen by flow (docs/explanation/flow-control.md). Every
 * adapter passes `test/contract.ts`. An evaluation that is not detached lives only as long as the process that accepted it.
 */
export interface WorkQueue {
  /** Limits of a run that is queued as one chunk. */
  readonly runLimits: RunLimits;
  /** Registers an evaluation, or refuses it. A refused evaluation leaves nothing stored. */
  accept(record: EvaluationRecord): Promise<'accepted' | 'exists' | Refusal>;
  /**
   * Adds the next chunk. `over` means that the evaluation ended meanwhile. A refused chunk is not stored. If the call is repeated with the
   * same `firstItem` (after a lost reply), the chunk is queued once.
   */
  enqueue(id: string, firstItem: number, items: readonly DocumentSlice[]): Promise<'queued' | 'over' | Refusal>;
  /** Declares that no more chunks will be added to the evaluation. */
  seal(id: string): Promise<void>;
  /** Accepts a complete evaluation with its chunks in order, and seals it. If it is refused, nothing is stored. */
  submit(record: EvaluationRecord, chunks: readonly (readonly DocumentSlice[])[]): Promise<'accepted' | 'exists' | Refusal>;
  /** Returns the expected time of an item of these definitions (digests) on a seat, ms. */
  expectedItemMs(digests: readonly string[]): Promise<number>;
  /**
   * Returns the number of seats of other processes that are free for this queue, as last reported; 0 if there is only this process. A call
   * triggers a new count within a heartbeat.
   */
  freeSeatsElsewhere(): number;
  /**
   * Registers a consumer with `seats` seats until the returned function is called.
   *
   * @param free returns how many of the seats other work recently left free; by default all
   */
  join(seats: number, free?: () => number): Promise<() => Promise<void>>;
  /** Waits for the next chunk and claims it. Returns undefined if `signal` is aborted. The claim is valid until its lease runs out. */
  claim(signal: AbortSignal): Promise<Claim | undefined>;
  /**
   * Extends the leases of running chunks. Returns false for each chunk that must be stopped because another consumer has claimed it or its
   * evaluation is over.
   */
  renew(claims: readonly Claim[]): Promise<readonly boolean[]>;
  /**
   * Stores the result of a claimed chunk. With the following answers, nothing is stored. `duplicate`: the chunk already has a result.
   * `gone`: the evaluation is over or forgotten, or the claim was superseded. `tooLarge`: there is no room for the results of the detached
   * evaluation, which is ended. `spentMs` is the time of the chunk in ms; it corrects the charge of the flow.
   */
  commit(claim: Claim, result: ChunkResult, spentMs?: number): Promise<CommitAnswer>;
  /**
   * Stores the result of the first items of a claimed chunk, as many as `result` has verdicts. The rest of the chunk waits to be claimed
   * again. The answers are those of {@link commit}. Absent if the adapter's chunks are short.
   */
  divide?(claim: Claim, result: ChunkResult, spentMs: number): Promise<CommitAnswer>;
  /**
   * Gives a claimed chunk back, so that it can be claimed again. `requeuedAfterMs` is set if the chunk was stopped in favour of other work
   * after this time on a seat, in ms. The flow is then charged for this time, and the claim is not counted. Set it only if scheduler and
   * consumer are in one process.
   */
  release(claim: Claim, requeuedAfterMs?: number): Promise<void>;
  /** Returns the numbers of the queue, for metrics and readiness checks. */
  depth(): Promise<Depth>;
}

/** The port from which results are read. */
export interface ResultStore {
  /**
   * Returns the ids of at most `most` stored evaluations, in no particular order. Walks over the whole storage, so it is meant for people
   * and not for use in each request.
   */
  list(most: number): Promise<readonly string[]>;
  record(id: string): Promise<EvaluationRecord | undefined>;
  progress(id: string): Promise<Progress | undefined>;
  /**
   * Returns the result of a chunk, when it is there. Undefined if it will never be there (unknown, cancelled, failed, sealed before it), or if `signal` is
   * aborted.
   */
  result(id: string, chunk: number, signal?: AbortSignal): Promise<ChunkResult | undefined>;
  /** Resolves at the next change of an evaluation's progress, or when `signal` is aborted. */
  changed(id: string, signal: AbortSignal): Promise<void>;
  /** Drops a chunk's result that its only reader has read. */
  discard(id: string, chunk: number): Promise<void>;
  /** Drops an evaluation with all it has. */
  forget(id: string): Promise<void>;
}

/** Carries cancellations to the consumers of an evaluation's chunks, in any process. */
export interface CancellationChannel {
  /** Ends an evaluation: waiting chunks are dropped, running ones are cancelled. False when there is no such live evaluation. */
  cancel(id: string): Promise<boolean>;
  /** Calls `listener` with the id of every evaluation that is cancelled from now on. Returns the way to stop listening. */
  onCancelled(listener: (id: string) => void): () => void;
}

/**
 * End of a detached evaluation. `cancelled`: a client requested it, or the deadline passed and no consumer was left. `tooLarge`: there was
 * no room for its results. `lost`: the storage lost part of it.
 */
export type DetachedEnd = 'complete' | 'cancelled' | 'lost' | 'tooLarge';

/** Detached evaluation that ended. Its record and progress may no longer be readable, because it may have been deleted since. */
export interface EndedEvaluation {
  readonly id: string;
  readonly end: DetachedEnd;
}

/** Reports how detached evaluations ended. */
export interface EvaluationEnds {
  /**
   * Calls `listener` with each end that this process caused or detected. Some ends are detected when the process takes over the work of an
   * earlier process. If several processes share a storage, exactly one process receives each end, once. No process receives the end of an
   * evaluation that was deleted while it lived, or of which the storage lost everything. Returns a function that removes the listener.
   */
  onEnded(listener: (ended: EndedEvaluation) => void): () => void;
}

/** Flow for whose evaluation a definition is stored, and the remaining time of this evaluation in ms. */
export interface DefinitionHolder {
  readonly flow: Flow;
  readonly leftMs: number;
  /** Another digest under which the flow keeps the same text, and is charged for it. */
  readonly keptAs?: string | undefined;
}

/** Definition texts by digest. */
export interface DefinitionStore {
  /** Stores a text until the holder's evaluation is over, and slightly longer. Returns the reason if there is no room for the text. */
  put(text: DefinitionText, holder: DefinitionHolder): Promise<Refusal | undefined>;
  get(digest: string): Promise<DefinitionText | undefined>;
}

/** Request for tokens of a rate limit that several processes share. */
export interface TokenRequest {
  /** Unique name of the rate limit, which belongs to one client. */
  readonly name: string;
  /** Number of tokens that the rate limit gains per second. */
  readonly perSecond: number;
  /** Maximum number of tokens that the rate limit accumulates. */
  readonly size: number;
  /** Whole tokens that are asked for. */
  readonly tokens: number;
}

/** Tokens that a process received. It may use them at any time. */
export interface TokenGrant {
  readonly tokens: number;
  /** Time in ms until another token is available; 0 if one is available now. */
  readonly waitMs: number;
  /** Number of processes that requested tokens recently, including this process. */
  readonly processes: number;
}

/** Port for rate limits that apply across all processes of a storage. */
export interface TokenStore {
  /** Takes tokens of several rates, each as many as there are. A request that was sent twice has taken twice. */
  take(requests: readonly TokenRequest[]): Promise<readonly TokenGrant[]>;
}

/** Port through which the processes of a storage share the prices of items. */
export interface PriceStore {
  /**
   * Reports the prices that this process measured. Returns the known prices of the digests that it requests, in ms by definition digest.
   */
  exchange(news: PriceNews): Promise<ReadonlyMap<string, number>>;
}

/** All ports of one adapter. */
export interface QueueAdapter {
  readonly work: WorkQueue;
  readonly results: ResultStore;
  readonly cancellations: CancellationChannel;
  readonly ends: EvaluationEnds;
  readonly definitions: DefinitionStore;
  /** Absent if the storage serves one process alone, which counts for itself. */
  readonly tokens?: TokenStore;
  /** Shared prices. Absent if only one process uses the storage, because that process keeps its own prices. */
  readonly prices?: PriceStore;
  /** Writes a small value in the way evaluations are written. Rejects if the storage cannot be written. Used for readiness checks. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
