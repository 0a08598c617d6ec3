import type { Level } from '../../flow/level.ts';

export type { TokenRequest } from '../../ports.ts';

/** A script that Redis runs as one atomic step; it may be sent twice. `Arguments` is the type of its one packed map. */
export interface LuaCommand<Arguments> {
  readonly name: string;
  readonly lua: string;
  /** Holds the type; never there. */
  readonly given?: Arguments;
}

/** An evaluation as `accept` and `submit` are given it. */
export interface AcceptedEvaluation {
  /** Packed. */
  readonly record: Uint8Array;
  /** A random name. An earlier evaluation with the same id has another one. */
  readonly born: string;
  readonly queueKey: {
    readonly level: Level;
    readonly flow: string;
    readonly division: string;
    readonly weight: number;
    readonly leaf: string;
    readonly detached: boolean;
  };
  /** Life of its record, ms. */
  readonly ttlMs: number;
  /** Life of small results after its end, ms. */
  readonly retentionMs: number;
  /** Until its deadline, ms. */
  readonly leftMs: number;
  /** Expected time of an item on a seat, ms. */
  readonly itemMs: number;
  /** Digest of its only definition, whose price it teaches. */
  readonly definition: string | undefined;
  /** The process on whose connection its client waits; undefined: no client waits. */
  readonly servedBy: string | undefined;
  /** Life of a heartbeat of that process, ms. */
  readonly servingMs: number;
}

/** Bounds beyond which no evaluation is accepted. */
export interface AdmissionLimits {
  readonly evaluations: number;
  /** Of waiting chunks. */
  readonly bytes: number;
  /** Bytes of results that are kept. */
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
  /** How many. */
  readonly items: number;
  /** Size of the items' texts. */
  readonly bytes: number;
  /** Packed. */
  readonly body: Uint8Array;
}

/** Arguments of the Lua scripts `commit` and `divide` that describe the result of one chunk. */
export interface ResultArguments {
  readonly packed: Uint8Array;
  /** Time of its items on their thread, ms; undefined: not known. */
  readonly judgedMs: number | undefined;
  /** Of its verdicts. */
  readonly bytes: number;
  /** CEL cost units. */
  readonly celCharge: number;
  /** Counts that are added to the evaluation's fields. */
  readonly tally: Readonly<Record<string, number>>;
  /** Life of the evaluation and its results from now on, ms. */
  readonly ttlMs: number;
}

/** The answer of `claim` beside the packed items and record of a chunk. */
export interface ClaimAnswer {
  readonly lease: string;
  readonly chunk: number;
  /** Earlier ones. */
  readonly claims: number;
  /** Expected, ms of a seat. */
  readonly cost: number;
  /** CEL cost units. */
  readonly celSpent: number;
  readonly waitedMs: number;
  /** Until the deadline of its evaluation, ms; below 0: past it. */
  readonly leftMs: number;
}
