import type { Level } from '../../flow/level.ts';

export type { TokenRequest } from '../../ports.ts';

/**
 * Script that Redis runs as one atomic step and that may be sent twice. `Arguments` is the type of the packed map that is its only
 * argument.
 */
export interface LuaCommand<Arguments> {
  readonly name: string;
  readonly lua: string;
  /** Type marker for `Arguments`; always undefined. */
  readonly given?: Arguments;
}

/** Arguments of the Lua scripts `accept` and `submit` that describe one evaluation. */
export interface AcceptedEvaluation {
  /** Packed record of the evaluation. */
  readonly record: Uint8Array;
  /** Random name of this evaluation. It differs from the name of an earlier evaluation with the same id. */
  readonly born: string;
  readonly queueKey: {
    readonly level: Level;
    readonly flow: string;
    readonly division: string;
    readonly weight: number;
    readonly leaf: string;
    readonly detached: boolean;
  };
  /** Lifetime of the evaluation's record, in ms. */
  readonly ttlMs: number;
  /** Time in ms for which small results are kept after the evaluation ends. */
  readonly retentionMs: number;
  /** Time until the evaluation's deadline, in ms. */
  readonly leftMs: number;
  /** Expected time of an item on a seat, ms. */
  readonly itemMs: number;
  /**
   * Digest of the definition if the evaluation has exactly one; undefined otherwise. The measured times update the price of this
   * definition.
   */
  readonly definition: string | undefined;
  /** Name of the process on whose connection the client of the evaluation waits; undefined if no client waits. */
  readonly servedBy: string | undefined;
  /** Time in ms for which a heartbeat of the process `servedBy` is valid. */
  readonly servingMs: number;
}

/** Limits above which a new evaluation is refused. */
export interface AdmissionLimits {
  readonly evaluations: number;
  /** Maximum number of bytes of waiting chunks. */
  readonly bytes: number;
  /** Maximum number of bytes of stored results. */
  readonly results: number;
  readonly flowEvaluations: number;
  readonly flowChunks: number;
  readonly flowBytes: number;
  readonly flowResults: number;
}

/** Arguments of the Lua scripts `enqueue` and `submit` that describe one chunk. */
export interface ChunkArguments {
  /** Index of the first item in the evaluation. */
  readonly firstItem: number;
  /** Number of items in the chunk. */
  readonly items: number;
  /** Size of the items' texts in bytes. */
  readonly bytes: number;
  /** Packed items of the chunk. */
  readonly body: Uint8Array;
}

/** Arguments of the Lua scripts `commit` and `divide` that describe the result of one chunk. */
export interface ResultArguments {
  readonly packed: Uint8Array;
  /** Time that the items took on their thread, in ms; undefined if unknown. */
  readonly judgedMs: number | undefined;
  /** Size of the verdicts in bytes. */
  readonly bytes: number;
  /** CEL cost of the items, in cost units. */
  readonly celCharge: number;
  /** Counts that are added to the evaluation's fields. */
  readonly tally: Readonly<Record<string, number>>;
  /** Life of the evaluation and its results from now on, ms. */
  readonly ttlMs: number;
}

/** Part of the answer of `claim` that describes the claimed chunk. The answer also contains the packed items and the packed record. */
export interface ClaimAnswer {
  readonly lease: string;
  readonly chunk: number;
  /** Number of earlier claims of the chunk. */
  readonly claims: number;
  /** Expected cost of the chunk, in ms on a seat. */
  readonly cost: number;
  /** CEL cost that the evaluation has spent so far, in cost units. */
  readonly celSpent: number;
  readonly waitedMs: number;
  /** Time until the deadline of the chunk's evaluation, in ms; negative if the deadline has passed. */
  readonly leftMs: number;
}
