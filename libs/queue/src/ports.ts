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
  /** `detached`: no client waits for it on an open connection; it survives a restart and is read later. */
  readonly detached: boolean;
  /** The name of the access key that made it, which alone may see it; undefined: the service asked for no key. */
  readonly owner: string | undefined;
  /** The flow with whose work this is scheduled. */
  readonly flow: Flow;
  /** Expected time of an item on a seat, ms. */
  readonly itemMs: number;
  readonly settings: ChunkSettings;
  /** Reports on the definitions that came with it. */
  readonly definitions: readonly DefinitionReport[];
  /** The server's answers when the evaluation's policies are created; absent if there are none, or if the search for them was stopped. */
  readonly policyReports?: readonly PolicyReport[];
}

/**
 * `failed`: the storage lost some of its keys, so it will never be complete. `tooLarge`: it was ended, since there was no room for more results. Earlier
 * results are kept.
 */
export type EvaluationPhase = 'receiving' | 'running' | 'complete' | 'cancelled' | 'failed' | 'tooLarge';

/** The progress of an evaluation. */
export interface Progress {
  readonly phase: EvaluationPhase;
  readonly chunksDone: number;
  readonly chunksTotal: number;
  readonly tally: Tally;
}

/** A chunk in the hands of one consumer. */
export interface Claim {
  readonly chunk: Chunk;
  /** Earlier claims of this chunk: above zero after a release, or if an earlier consumer fell silent. */
  readonly earlierClaims: number;
  /** Names this claim and no other: the fence by which a superseded consumer's late commit is known. */
  readonly lease: string;
  /** The place of its evaluation in a fair queue. */
  readonly queueKey: QueueKey;
  /** From being queued to being claimed, ms. */
  readonly waitedMs: number;
  /** CEL cost units that the evaluation's committed chunks were charged. */
  readonly celSpent: number;
  /** Expected time on a seat, ms: the charge of its flow for now. */
  readonly expectedMs: number;
  /** Results of earlier items of the chunk that are stored ({@link WorkQueue.divide}); absent: none. */
  readonly parts?: number;
}

/** The answer to a result ({@link WorkQueue.commit}). */
export type CommitAnswer = 'stored' | 'duplicate' | 'gone' | 'tooLarge';

/** The contents of a queue, in numbers. */
export interface Depth {
  /** Chunks. */
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
 * Carries chunks from who has them to who can run them. At-least-once: a chunk may be claimed again after a release, a lease that ran out,
 * or a restart; its result is stored once. The next chunk is chosen by flow when a consumer is free (docs/explanation/flow-control.md). Every
 * adapter passes `test/contract.ts`. What is not detached lives only as long as the process that accepted it.
 */
export interface WorkQueue {
  /** Bounds of the runs that are queued here as chunks. */
  readonly runLimits: RunLimits;
  /** Makes an evaluation known, or refuses it: then nothing was kept. */
  accept(record: EvaluationRecord): Promise<'accepted' | 'exists' | Refusal>;
  /**
   * Adds the next chunk. `over`: the evaluation ended meanwhile. Refused: nothing was kept. Sent again with the same `firstItem` (after a
   * lost reply), it is queued once.
   */
  enqueue(id: string, firstItem: number, items: readonly DocumentSlice[]): Promise<'queued' | 'over' | Refusal>;
  /** No more chunks will come. */
  seal(id: string): Promise<void>;
  /** Accepts an evaluation that is there as a whole, with its chunks in order, and seals it. Refused: nothing was kept. */
  submit(record: EvaluationRecord, chunks: readonly (readonly DocumentSlice[])[]): Promise<'accepted' | 'exists' | Refusal>;
  /** Returns the expected time of an item of these definitions (digests) on a seat, ms. */
  expectedItemMs(digests: readonly string[]): Promise<number>;
  /**
   * Returns how many seats of other processes are free for this queue, as they told last; 0 if there is only this process. If asked, it counts again within a
   * heartbeat.
   */
  freeSeatsElsewhere(): number;
  /**
   * A consumer with so many seats takes part from now on, until the function that is returned is called.
   *
   * @param free tells how many of the seats other work left lately; by default all
   */
  join(seats: number, free?: () => number): Promise<() => Promise<void>>;
  /** The next chunk to run; waits for one, undefined when `signal` is aborted. It is the claimer's until its lease runs out. */
  claim(signal: AbortSignal): Promise<Claim | undefined>;
  /** Prolongs the leases of running chunks; false for each that is to be stopped: it is somebody else's now, or its evaluation is over. */
  renew(claims: readonly Claim[]): Promise<readonly boolean[]>;
  /**
   * Stores the result of a claimed chunk. `duplicate`: there is one already. `gone`: its evaluation is over or forgotten, or the claim was
   * superseded. `tooLarge`: there is no room for the results of its detached evaluation, which is ended. None of these stores anything. `spentMs`: the time
   * of the chunk, to correct the charge of its flow.
   */
  commit(claim: Claim, result: ChunkResult, spentMs?: number): Promise<CommitAnswer>;
  /**
   * Stores the result of the first items of a claimed chunk, as many as it has verdicts. Gives the chunk back with its other items, to be claimed again.
   * Answers as {@link commit} does. Absent if chunks are short.
   */
  divide?(claim: Claim, result: ChunkResult, spentMs: number): Promise<CommitAnswer>;
  /**
   * Gives a claimed chunk back, to be claimed again. `requeuedAfterMs`: it was stopped for the sake of others after this time on a seat. Its flow is
   * charged for that time, and the claim is not counted. Only if scheduler and consumer are one process.
   */
  release(claim: Claim, requeuedAfterMs?: number): Promise<void>;
  /** For metrics and readiness. */
  depth(): Promise<Depth>;
}

/** The port from which results are read. */
export interface ResultStore {
  /** Ids of evaluations that are there, at most so many, in no order. It walks over all that is stored: for people, not for each request. */
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

/** The end of a detached evaluation. `cancelled`: somebody asked for it, or the deadline passed and no consumer was left. `tooLarge`: there was no room for its results. */
export type DetachedEnd = 'complete' | 'cancelled' | 'lost' | 'tooLarge';

/** A detached evaluation that ended. Its record and progress may still be there to be read, and may not: it may have been forgotten since. */
export interface EndedEvaluation {
  readonly id: string;
  readonly end: DetachedEnd;
}

/** Reports how detached evaluations ended. */
export interface EvaluationEnds {
  /**
   * Calls `listener` with each end that this process brought about or found. It may have found some when it took up the work of an earlier process.
   * Of all processes that share a storage, one gets each end, once. Nobody gets the end of an evaluation that was forgotten while it lived, or of which the
   * storage forgot everything. Returns the way to stop listening.
   */
  onEnded(listener: (ended: EndedEvaluation) => void): () => void;
}

/** For whose evaluation a definition is stored, and how long that may still take, ms. */
export interface DefinitionHolder {
  readonly flow: Flow;
  readonly leftMs: number;
  /** Another digest under which the flow keeps the same text, and is charged for it. */
  readonly keptAs?: string | undefined;
}

/** Definition texts by digest. */
export interface DefinitionStore {
  /** Keeps a text until that evaluation is over, and a little longer; or says why there is no room for it. */
  put(text: DefinitionText, holder: DefinitionHolder): Promise<Refusal | undefined>;
  get(digest: string): Promise<DefinitionText | undefined>;
}

/** A rate that processes share, and how many of its tokens one of them asks for. */
export interface TokenRequest {
  /** Tells the rate from others; of one client. */
  readonly name: string;
  /** Tokens that the rate brings a second. */
  readonly perSecond: number;
  /** Tokens that it saves up at most. */
  readonly size: number;
  /** Whole tokens that are asked for. */
  readonly tokens: number;
}

/** The tokens that a process got, to spend when it likes. */
export interface TokenGrant {
  readonly tokens: number;
  /** Until there is one more, ms; 0 if there is one now. */
  readonly waitMs: number;
  /** Processes that asked lately, this one included. */
  readonly processes: number;
}

/** Rates that hold over all processes of a storage. */
export interface TokenStore {
  /** Takes tokens of several rates, each as many as there are. A request that was sent twice has taken twice. */
  take(requests: readonly TokenRequest[]): Promise<readonly TokenGrant[]>;
}

/** Prices of items that processes of a storage tell each other. */
export interface PriceStore {
  /** Tells what this process learned, and returns what is known of the prices that it wants: ms by definition digest. */
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
  /** Absent for the same reason. */
  readonly prices?: PriceStore;
  /** Writes a little, as evaluations would be; fails where the storage takes nothing. For readiness. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
