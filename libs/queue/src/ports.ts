import type { Chunk, ChunkResult, ChunkSettings, DefinitionReport, DefinitionText, DocumentSlice, Tally } from '#evaluation';

/** An evaluation as the queue knows it. */
export interface EvaluationRecord {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** `detached`: nobody waits for it on an open connection; it survives a restart and is read later. */
  readonly detached: boolean;
  /** The name of the access key that made it, which alone may see it; undefined: the service asked for no key. */
  readonly owner: string | undefined;
  /** With whose work this is scheduled; undefined as `owner`. (No adapter looks at it yet.) */
  readonly flow: string | undefined;
  readonly settings: ChunkSettings;
  /** What was found about the definitions that came with it. */
  readonly definitions: readonly DefinitionReport[];
}

export type EvaluationPhase = 'receiving' | 'running' | 'complete' | 'cancelled';

/** How far an evaluation is. */
export interface Progress {
  readonly phase: EvaluationPhase;
  readonly chunksDone: number;
  readonly chunksTotal: number;
  readonly tally: Tally;
}

/** A chunk in the hands of one consumer. */
export interface Claim {
  readonly chunk: Chunk;
  /** How often this chunk was claimed before: above zero after a release. */
  readonly earlierClaims: number;
}

/**
 * Carries chunks from who has them to who can run them. At-least-once: a chunk may be claimed again after a release or a restart; its
 * result is stored once. Every adapter passes `test/contract.ts`.
 */
export interface WorkQueue {
  /** Makes an evaluation known. `full`: too many live evaluations; nothing was kept. */
  accept(record: EvaluationRecord): Promise<'accepted' | 'exists' | 'full'>;
  /** Adds the next chunk. `over`: the evaluation ended meanwhile. `full`: too many bytes wait; nothing was kept. */
  enqueue(id: string, firstItem: number, items: readonly DocumentSlice[]): Promise<'queued' | 'over' | 'full'>;
  /** No more chunks will come. */
  seal(id: string): Promise<void>;
  /** The next chunk to run; waits for one, undefined when `signal` is aborted. Evaluations take turns. */
  claim(signal: AbortSignal): Promise<Claim | undefined>;
  /** Stores the result of a claimed chunk. `duplicate`: it is there already; `gone`: its evaluation is over or forgotten. Neither stores anything. */
  commit(claim: Claim, result: ChunkResult): Promise<'stored' | 'duplicate' | 'gone'>;
  /** Gives a claimed chunk back, to be claimed again. */
  release(claim: Claim): Promise<void>;
  /** Chunks waiting and claimed, for metrics and readiness. */
  depth(): Promise<{ readonly waiting: number; readonly claimed: number; readonly waitingBytes: number }>;
}

/** Where results are read from. */
export interface ResultStore {
  record(id: string): Promise<EvaluationRecord | undefined>;
  progress(id: string): Promise<Progress | undefined>;
  /** The result of a chunk: at once when it is there, else when it comes; undefined when it never will (unknown, cancelled, sealed before it) or `signal` is aborted. */
  result(id: string, chunk: number, signal?: AbortSignal): Promise<ChunkResult | undefined>;
  /** Resolves at the next change of an evaluation's progress, or when `signal` is aborted. */
  changed(id: string, signal: AbortSignal): Promise<void>;
  /** Drops a chunk's result that its only reader has read. */
  discard(id: string, chunk: number): Promise<void>;
  /** Drops an evaluation with all it has. */
  forget(id: string): Promise<void>;
}

/** Carries the wish to stop to whoever runs chunks of an evaluation, in any process. */
export interface CancellationChannel {
  /** Ends an evaluation: waiting chunks are dropped, running ones are told. False when there is no such live evaluation. */
  cancel(id: string): Promise<boolean>;
  /** Calls `listener` with the id of every evaluation that is cancelled from now on. Returns the way to stop listening. */
  onCancelled(listener: (id: string) => void): () => void;
}

/** Definition texts by digest. */
export interface DefinitionStore {
  put(text: DefinitionText): Promise<void>;
  get(digest: string): Promise<DefinitionText | undefined>;
}

/** All ports of one adapter. */
export interface QueueAdapter {
  readonly work: WorkQueue;
  readonly results: ResultStore;
  readonly cancellations: CancellationChannel;
  readonly definitions: DefinitionStore;
  close(): Promise<void>;
}
