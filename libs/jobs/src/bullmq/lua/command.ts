export type { TokenRequest } from '../../ports.ts';

/** Script that Redis runs as one atomic step. It may safely be sent twice. `Arguments` is the type of its only argument, a packed map. */
export interface LuaCommand<Arguments> {
  readonly name: string;
  readonly lua: string;
  /** Type marker for `Arguments`. At run time, it is always undefined. */
  readonly given?: Arguments;
}

/** Arguments of the Lua script `add` that describe a job. */
export interface AddedJob {
  /** Packed record of the job. */
  readonly record: Uint8Array;
  /**
   * Random whole number as text, from which the fence numbers of the job are counted. It differs from the number of an earlier job with the
   * same id.
   */
  readonly born: string;
  /** Flow of the job as `line/name`. */
  readonly flow: string;
  /** Lifetime of the job's record, in ms. */
  readonly ttlMs: number;
  /** Time in ms for which small results are kept after the job ends. */
  readonly retentionMs: number;
  /** Time until the job's deadline, in ms. */
  readonly leftMs: number;
  /** Digest of the definition if the job has exactly one; undefined otherwise. Operators see it in BullMQ's dashboard. */
  readonly definition: string | undefined;
  readonly limits: AdmissionLimits;
}

/** Limits of the queue and, in the fields that begin with `flow`, of one flow. If a limit is reached, a new job is refused. */
export interface AdmissionLimits {
  readonly jobs: number;
  /** Maximum size of all parts without a result, in bytes. */
  readonly bytes: number;
  /** Maximum size of all stored results, in bytes. */
  readonly results: number;
  readonly flowJobs: number;
  readonly flowParts: number;
  readonly flowBytes: number;
  readonly flowResults: number;
}

/** Arguments of the Lua script `add` that describe one part, a stretch of consecutive items of a job. */
export interface PartArguments {
  /** Index of the part's first item in the job. */
  readonly firstItem: number;
  /** Number of items in the part. */
  readonly items: number;
  /** Size of the items' texts in bytes. */
  readonly bytes: number;
  /** Packed items of the part. */
  readonly body: Uint8Array;
}

/** Arguments of the Lua script `store` that describe the result of one part. */
export interface ResultArguments {
  readonly packed: Uint8Array;
  /** Size of the verdicts in bytes. */
  readonly bytes: number;
  /** CEL cost of the items, in cost units. */
  readonly celCharge: number;
  /** Counts that are added to the job's hash, by field name. */
  readonly tally: Readonly<Record<string, number>>;
  /** Time in ms, from now on, for which the job and its results are kept. */
  readonly ttlMs: number;
  /** Packed last note of the job; undefined if it has no notes. */
  readonly note: Uint8Array | undefined;
}

/** Arguments of the Lua script `held` that describe a start of a job. */
export interface StartArguments {
  readonly id: string;
  readonly fence: number;
  /** Packed note to store; undefined if there is none. */
  readonly note: Uint8Array | undefined;
  /** Share of the job's work that is done at the time of the note, in percent; undefined if there is no note. */
  readonly percent: number | undefined;
}

/** Arguments of the Lua script `heartbeat` that describe a consumer: the part of a process that performs work of other processes. */
export interface ConsumerArguments {
  readonly name: string;
  readonly seats: number;
  /** Number of engine threads that other work leaves free. */
  readonly free: number;
  /** Time in ms for which the consumer is registered; 0 to remove it. */
  readonly ms: number;
  /** Time in ms for which the consumer is registered if no job lives, because the next heartbeat is then late. */
  readonly idleMs: number;
}
