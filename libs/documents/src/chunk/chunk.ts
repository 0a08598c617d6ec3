import type { Server } from '#kube';
import type { DefinitionSlice, DocumentSlice } from '../item/item.ts';
import type { EvaluationOptions, FieldValidation } from '../options/options-schema.ts';
import type { Tally } from '../verdict/tally.ts';

/** Settings that all chunks of an evaluation share, with every default filled in. */
export interface ChunkSettings {
  readonly options: EvaluationOptions;
  /** Keys of the accepted definitions that a cluster would serve. The definition store has the texts, by digest. */
  readonly definitions: readonly DefinitionKey[];
  /**
   * Rejected definitions of the request, and definitions that lost a conflict about their names. Objects of these definitions cannot be
   * validated and receive the given Status, as JSON text. `groupKind` has the form `group/kind`.
   */
  readonly refused: readonly { readonly groupKind: string; readonly name: string; readonly status: string }[];
  /** Digest of the text of the admission policies ({@link PolicyText}). Undefined if there are no policies. */
  readonly policies?: string | undefined;
  /**
   * Time of {@link steadyNow}, in epoch ms, after which no work is started. The value is valid only in this process. Other processes
   * receive the remaining time instead.
   */
  readonly deadlineAt: number;
  /** W3C traceparent of the span that is the parent of the chunk's spans. */
  readonly traceparent: string | undefined;
}

/** Settings of an evaluation that influence its verdicts: the chunk settings without the deadline and the trace. */
export type JudgingSettings = Omit<ChunkSettings, 'deadlineAt' | 'traceparent'>;

/** Key of a definition in caches and stores: see `definitionDigest`. */
export interface DefinitionKey {
  readonly digest: string;
  readonly group: string;
  readonly kind: string;
}

/** The text of a definition, or of an evaluation's policies, for the thread that compiles it. */
export interface DefinitionText extends Server {
  readonly digest: string;
  /** `policies` if the text contains an evaluation's policies. Absent if the text is one definition. */
  readonly holds?: 'policies';
  readonly slice: DefinitionSlice;
}

/** Stretch of consecutive items of one evaluation, small enough to be one unit of work. */
export interface Chunk {
  readonly evaluation: string;
  /** Position of the chunk among the evaluation's chunks, from 0. */
  readonly index: number;
  /** Index of the chunk's first item among the evaluation's items. */
  readonly firstItem: number;
  readonly items: readonly DocumentSlice[];
  readonly settings: ChunkSettings;
}

/** Finished trace span that comes from a thread. The thread itself has no tracer. Times are in epoch ms. */
export interface SpanRecord {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly children: readonly SpanRecord[];
}

/**
 * Result of a chunk of an evaluation. Each verdict is one JSON line, and the lines are in the order of the objects. Except for requested
 * timings, the result depends only on the definitions, the objects, the options and the Kubernetes minor version.
 */
export interface ChunkResult {
  readonly verdicts: readonly string[];
  /**
   * The same verdicts as UTF-8 bytes, each with a line feed behind it, if they came as bytes from a thread or a storage. Code that changes
   * `verdicts` must leave this field out.
   */
  readonly lines?: readonly Uint8Array[] | undefined;
  readonly tally: Tally;
  /**
   * CEL cost units that are charged to the evaluation's budget: the cost in the tally. For an object that a cost limit stopped, the whole
   * limit is charged instead.
   */
  readonly celCharge: number;
  readonly spans: readonly SpanRecord[];
}

/** Returns the size of all items of a chunk, in bytes. */
export function chunkBytes(items: readonly DocumentSlice[]): number {
  return items.reduce((sum, item) => sum + item.bytes.length, 0);
}

/** Options of the request that creates or updates a definition. */
export interface DefinitionWrite {
  /** True if the definition is judged with its uid and resourceVersion. Otherwise both are removed if the server would refuse them. */
  readonly asSent: boolean;
  /** Treatment of unknown and duplicate fields. */
  readonly fieldValidation: FieldValidation;
}

/** Returns the options of the request that writes a definition. A definition's own `fieldValidation` takes precedence. */
export const definitionWrite = (
  { slice }: { readonly slice: Pick<DefinitionText['slice'], 'fieldValidation'> },
  { asSent, fieldValidation }: Pick<EvaluationOptions, 'asSent' | 'fieldValidation'>,
): DefinitionWrite => ({ asSent, fieldValidation: slice.fieldValidation ?? fieldValidation });
