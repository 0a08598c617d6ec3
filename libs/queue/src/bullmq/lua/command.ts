import type { QueueKey } from '#runner/flow';

export type { TokenRequest } from '../../ports.ts';

/** Script that Redis runs as one atomic step. It may safely be sent twice. `Arguments` is the type of its only argument, a packed map. */
export interface LuaCommand<Arguments> {
  readonly name: string;
  readonly lua: string;
  /** Type marker for `Arguments`. At run time, it is always undefined. */
  readonly given?: Arguments;
}

/** Arguments of the Lua scripts `accept` and `submit` that describe one evaluation. */
export interface AcceptedEvaluation {
  /** Packed record of the evaluation. */
  readonly record: Uint8Array;
  /** Random name of this evaluation. It differs from the name of an earlier evaluation with the same id. */
  readonly born: string;
  readonly queueKey: QueueKey;
  /** Lifetime of the evaluation's record, in ms. */
  readonly ttlMs: number;
  /** Time in ms for which small results are kept after the evaluation ends. */
  readonly retentionMs: number;
  /** Time until the evaluation's deadline, in ms. */
  readonly leftMs: number;
  /** Expected time in ms for one item on a seat (engine thread). */
  readonly itemMs: number;
  /**
   * Digest of the definition if the evaluation has exactly one; undefined otherwise. The measured times update the average time per item of
   * this definition.
   */
  readonly definition: string | undefined;
}

/**
 * Limits of the queue and, in the fields that begin with `flow`, of one flow (queue of one client). If a limit is reached, a new evaluation
 * is refused.
 */
export interface AdmissionLimits {
  readonly evaluations: number;
  /** Maximum size of all waiting chunks, in bytes. */
  readonly bytes: number;
  /** Maximum size of all stored results, in bytes. */
  readonly results: number;
  readonly flowEvaluations: number;
  readonly flowChunks: number;
  readonly flowBytes: number;
  readonly flowResults: number;
}

/** Arguments of the Lua scripts `enqueue` and `submit` that describe one chunk, a stretch of consecutive items of an evaluation. */
export interface ChunkArguments {
  /** Index of the chunk's first item in the evaluation. */
  readonly firstItem: number;
  /** Number of items in the chunk. */
  readonly items: number;
  /** Size of the items' texts in bytes. */
  readonly bytes: number;
  /** Packed items of the chunk. */
  readonly body: Uint8Array;
}

/** Arguments of the Lua script `commit` that describe the result of one chunk. */
export interface ResultArguments {
  readonly packed: Uint8Array;
  /** Time in ms that a thread needed to compute the verdicts on the items. Undefined if the time is unknown. */
  readonly judgedMs: number | undefined;
  /** Size of the verdicts in bytes. */
  readonly bytes: number;
  /** CEL cost of the items, in cost units. */
  readonly celCharge: number;
  /** Counts that are added to the evaluation's hash, by field name. */
  readonly tally: Readonly<Record<string, number>>;
  /** Time in ms, from now on, for which the evaluation and its results are kept. */
  readonly ttlMs: number;
}

/**
 * JSON part of the response of `claim`, which describes the claimed chunk. The response also contains the packed items and the packed
 * record.
 */
export interface ClaimAnswer {
  readonly lease: string;
  readonly chunk: number;
  /** Number of earlier claims of the chunk. */
  readonly claims: number;
  /** Expected time of the chunk on a seat (engine thread), in ms. */
  readonly cost: number;
  /** CEL cost that was charged to the evaluation before this claim, in cost units. */
  readonly celSpent: number;
  readonly waitedMs: number;
  /** Time until the deadline of the chunk's evaluation, in ms; negative if the deadline has passed. */
  readonly leftMs: number;
}
