import type { Server } from '#kube';
import type { DocumentSlice } from './item.ts';
import type { EvaluationOptions } from './options.ts';
import type { Tally } from './tally.ts';

/** Settings that all chunks of an evaluation share, with every default filled in. */
export interface ChunkSettings {
  readonly options: EvaluationOptions;
  /** Digests of the accepted definitions; the definition store has their texts. */
  readonly definitions: readonly DefinitionKey[];
  /** Definitions of the request that were refused: their objects cannot be judged. Status as JSON text, by `group/kind`. */
  readonly refused: readonly { readonly groupKind: string; readonly name: string; readonly status: string }[];
  /** Digest of the text of the admission policies ({@link PolicyText}); undefined: there are none. */
  readonly policies?: string | undefined;
  /** Epoch ms of {@link steadyNow} after which nothing is begun; another process has to be told what is left instead. */
  readonly deadlineAt: number;
  /** W3C traceparent of the span that the chunk's work belongs to. */
  readonly traceparent: string | undefined;
}

/** Settings as far as judging depends on them. */
export type JudgingSettings = Omit<ChunkSettings, 'deadlineAt' | 'traceparent'>;

/** A definition's identity for caches and stores: see `definitionDigest`. */
export interface DefinitionKey {
  readonly digest: string;
  readonly group: string;
  readonly kind: string;
}

/** The text of a definition, or of an evaluation's policies, for the thread that compiles it. */
export interface DefinitionText extends Server {
  readonly digest: string;
  /** Absent: one definition. */
  readonly holds?: 'policies';
  readonly slice: DocumentSlice;
}

/** A run of consecutive items of one evaluation, small enough to be one unit of work. */
export interface Chunk {
  readonly evaluation: string;
  /** Position among the evaluation's chunks, from 0. */
  readonly index: number;
  /** Index of the first item among the evaluation's items. */
  readonly firstItem: number;
  readonly items: readonly DocumentSlice[];
  readonly settings: ChunkSettings;
}

/** A finished span measured on a thread, where no tracer runs: times are epoch milliseconds. */
export interface SpanRecord {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly children: readonly SpanRecord[];
}

/** One verdict a JSON line, in item order. A pure function of definitions, objects, options and minor, but for asked-for timings. */
export interface ChunkResult {
  readonly verdicts: readonly string[];
  readonly tally: Tally;
  /** CEL cost units charged to the evaluation's budget: as in the tally, but an object that a limit stopped counts with that limit. */
  readonly celCharge: number;
  readonly spans: readonly SpanRecord[];
}

/** Bytes of all items of a chunk. */
export function chunkBytes(items: readonly DocumentSlice[]): number {
  return items.reduce((sum, item) => sum + item.bytes.length, 0);
}
