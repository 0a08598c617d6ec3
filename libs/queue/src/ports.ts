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
import type { Flow, QueueKey, Refusal, PriceNews, Level } from '#runner/flow';

/**
 * Data that the queue stores about a detached evaluation when it is accepted. No client waits for a detached evaluation on an open
 * connection. It survives a restart, and its results are read later.
 */
export interface EvaluationRecord {
  readonly id: string;
  /** Time at which the evaluation was created, in epoch ms. */
  readonly createdAt: number;
  /**
   * Name of the access key that created the evaluation. Only this key may read the evaluation. Undefined if the service requires no key.
   */
  readonly owner: string | undefined;
  /** Flow to which the evaluation belongs. All work of one flow is scheduled together. */
  readonly flow: Flow;
  /** Expected time of one item on a seat (engine thread), in ms. */
  readonly itemMs: number;
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
 * Phase of an evaluation. `failed`: the storage lost some keys of the evaluation, so the evaluation can never be complete. `tooLarge`: the
 * evaluation ended because its next result exceeded the limit for stored results; earlier results are kept.
 */
export type EvaluationPhase = 'receiving' | 'running' | 'complete' | 'cancelled' | 'failed' | 'tooLarge';

/** The progress of an evaluation. */
export interface Progress {
  readonly phase: EvaluationPhase;
  readonly chunksDone: number;
  readonly chunksTotal: number;
  readonly tally: Tally;
}

/**
 * Chunk (consecutive items of an evaluation) that a consumer has claimed, to evaluate it. The lease gives the consumer the right to store
 * the result.
 */
export interface Claim {
  readonly chunk: Chunk;
  /** Number of earlier claims of this chunk. It exceeds 0 if an earlier consumer released the chunk or stopped responding. */
  readonly earlierClaims: number;
  /** Unique name of this claim. The queue uses it to recognize and reject a late commit of a consumer whose claim was superseded. */
  readonly lease: string;
  /** Path of the chunk's evaluation in the tree of the fair queue. */
  readonly queueKey: QueueKey;
  /** Time in ms from queuing the chunk to its claim. */
  readonly waitedMs: number;
  /** CEL cost units that were charged for the chunks of the evaluation that are already committed. */
  readonly celSpent: number;
  /** Expected time of the chunk on a seat (engine thread), in ms. The flow is charged this time until the actual time is known. */
  readonly expectedMs: number;
}

/** Answers of {@link WorkQueue.commit}, which stores the result of a chunk. Only `stored` means that this call stored the result. */
export type CommitAnswer = 'stored' | 'duplicate' | 'gone' | 'tooLarge';

/**
 * Current load of a queue. It consists of the number of chunks (consecutive items of an evaluation), their size in bytes, and the number of
 * seats (places for running chunks).
 */
export interface Depth {
  /** Number of waiting chunks. */
  readonly waiting: number;
  readonly claimed: number;
  readonly waitingBytes: number;
  /** Total size, in bytes, of the stored results. */
  readonly resultBytes: number;
  /** Number of chunks that all consumers together can run at the same time. */
  readonly seats: number;
  readonly levels: Readonly<Record<Level, { readonly waiting: number; readonly claimed: number }>>;
}

/**
 * Queue that passes chunks (consecutive items of an evaluation) from producers to consumers, at least once. A chunk may be claimed again
 * after a release, an expired lease, or a restart, but its result is stored only once. When a consumer is free, the queue chooses the flow
 * (client) whose chunk is next (docs/explanation/flow-control.md). Every implementation passes `test/contract.ts`.
 */
export interface WorkQueue {
  /** Limits of a run (consecutive items of an evaluation) that is queued as one chunk. */
  readonly runLimits: RunLimits;
  /** Registers an evaluation, or returns the reason for refusing it. Nothing is stored for a refused evaluation. */
  accept(record: EvaluationRecord): Promise<'accepted' | 'exists' | Refusal>;
  /**
   * Adds the next chunk. `over` means that the evaluation has already ended. A refused chunk is not stored. If the call is repeated with
   * the same `firstItem` after a lost reply, the chunk is queued only once.
   */
  enqueue(id: string, firstItem: number, items: readonly DocumentSlice[]): Promise<'queued' | 'over' | Refusal>;
  /** Declares that no more chunks will be added to the evaluation. */
  seal(id: string): Promise<void>;
  /** Accepts a complete evaluation with its chunks in order, and seals it. If the evaluation is refused, nothing is stored. */
  submit(record: EvaluationRecord, chunks: readonly (readonly DocumentSlice[])[]): Promise<'accepted' | 'exists' | Refusal>;
  /** Returns the time in ms that an item of the definitions with these digests is expected to take on a seat (engine thread). */
  expectedItemMs(digests: readonly string[]): Promise<number>;
  /**
   * Registers a consumer with `seats` seats (engine threads). The returned function ends the registration.
   *
   * @param free returns the number of these seats that the consumer's other work recently left free; by default all seats
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
   * `gone`: the evaluation is over or forgotten, or the claim was superseded. `tooLarge`: the result exceeds the limit for stored results,
   * and the evaluation ends. `spentMs` is the measured time of the chunk in ms, by which the charge of the flow is corrected.
   */
  commit(claim: Claim, result: ChunkResult, spentMs?: number): Promise<CommitAnswer>;
  /** Gives a claimed chunk back, so that it can be claimed again. */
  release(claim: Claim): Promise<void>;
  /** Returns the current load of the queue, for metrics and readiness checks. */
  depth(): Promise<Depth>;
}

/** Port that returns the records, progress and results of evaluations. */
export interface ResultStore {
  /**
   * Returns the ids of at most `most` stored evaluations, in no particular order. Reads the whole storage and is therefore too slow for
   * regular requests.
   */
  list(most: number): Promise<readonly string[]>;
  record(id: string): Promise<EvaluationRecord | undefined>;
  progress(id: string): Promise<Progress | undefined>;
  /**
   * Waits for the result of a chunk and returns it. Returns undefined if `signal` is aborted or the result will never exist. A result never
   * exists if the evaluation is unknown, cancelled, failed, or sealed before this chunk.
   */
  result(id: string, chunk: number, signal?: AbortSignal): Promise<ChunkResult | undefined>;
  /** Resolves at the next change of an evaluation's progress, or when `signal` is aborted. */
  changed(id: string, signal: AbortSignal): Promise<void>;
  /** Drops an evaluation with its record, chunks and results. */
  forget(id: string): Promise<void>;
}

/** Port that sends cancellations to the consumers of an evaluation's chunks, in any process. */
export interface CancellationChannel {
  /**
   * Cancels an evaluation: drops its waiting chunks and stops its running chunks. Returns false if no evaluation with this id is receiving
   * or running.
   */
  cancel(id: string): Promise<boolean>;
  /** Calls `listener` with the id of every evaluation that is cancelled from now on. Returns a function that removes the listener. */
  onCancelled(listener: (id: string) => void): () => void;
}

/**
 * Kind of end of an evaluation. `cancelled`: a client requested it, or the deadline passed while no process was left that consumes chunks.
 * `tooLarge`: a result exceeded the limit for stored results. `lost`: the storage lost part of the evaluation.
 */
export type DetachedEnd = 'complete' | 'cancelled' | 'lost' | 'tooLarge';

/**
 * Evaluation that ended, and the kind of its end. Its record and progress may no longer be readable, because it may have been deleted since
 * its end.
 */
export interface EndedEvaluation {
  readonly id: string;
  readonly end: DetachedEnd;
}

/** Port that reports how evaluations ended. */
export interface EvaluationEnds {
  /**
   * Calls `listener` with each end that this process caused or detected. Some ends are detected when the process takes over the work of an
   * earlier process. If several processes share a storage, exactly one process receives each end, once. No process receives the end of an
   * evaluation that was deleted before its end, or whose data the storage lost completely. Returns a function that removes the listener.
   */
  onEnded(listener: (ended: EndedEvaluation) => void): () => void;
}

/**
 * Holder of a stored definition: the flow (scheduling queue of clients) that is charged for the storage. `leftMs` is the remaining time in
 * ms of the flow's evaluation that uses the definition.
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
  exchange(news: PriceNews): Promise<ReadonlyMap<string, number>>;
}

/** All ports of one queue adapter, embedded or over Redis. */
export interface QueueAdapter {
  readonly work: WorkQueue;
  readonly results: ResultStore;
  readonly cancellations: CancellationChannel;
  readonly ends: EvaluationEnds;
  readonly definitions: DefinitionStore;
  /** Shared rate limits. Absent if only one process uses the storage, because that process counts its own tokens. */
  readonly tokens?: TokenStore;
  /** Shared prices (expected times per item). Absent if only one process uses the storage, because that process keeps its own prices. */
  readonly prices?: PriceStore;
  /**
   * Writes a small value in the same way as evaluations are written. Rejects if the storage cannot be written. Used for readiness checks.
   */
  probe(): Promise<void>;
  close(): Promise<void>;
}
