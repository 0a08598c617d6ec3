import { deserialize, serialize } from 'node:v8';
import { emptyTally } from '#evaluation';
import type { Chunk, ChunkResult, DefinitionText, DocumentSlice, Tally } from '#evaluation';
import { LEVELS } from '../flow/level.ts';
import type { Level } from '../flow/level.ts';
import type { Claim, EvaluationRecord, Progress } from '../ports.ts';
import { compressed, decompressed } from './compression.ts';

const TALLY_COUNTS = ['items', 'accepted', 'rejected', 'notEvaluated', 'cancelled', 'warnings', 'celCost'] as const;
const TALLY_PHASES = ['parse', 'schema', 'cel', 'total'] as const;

/** A chunk as it lies in Redis: what all chunks of an evaluation share lies in its record. */
interface PackedChunk {
  readonly firstItem: number;
  readonly items: readonly { readonly bytes: Uint8Array; readonly notation: DocumentSlice['notation'] }[];
}

export function packChunk(firstItem: number, items: readonly DocumentSlice[]): Buffer {
  return compressed(serialize({ firstItem, items: items.map(({ bytes, notation }) => ({ bytes, notation })) } satisfies PackedChunk));
}

/** A chunk's result as it lies in Redis. */
export const packResult = (result: ChunkResult): Buffer => compressed(serialize(result));
export const unpackResult = (stored: Buffer): ChunkResult => deserialize(decompressed(stored)) as ChunkResult;

/** A definition's text as it lies in Redis. */
export const packDefinition = (text: DefinitionText): Buffer => compressed(serialize(text));
export const unpackDefinition = (stored: Buffer): DefinitionText => deserialize(decompressed(stored)) as DefinitionText;

/** A chunk and its evaluation's record as they lie in Redis. */
export function unpackChunk(index: number, body: Buffer, recordBytes: Buffer): Chunk {
  const record = deserialize(recordBytes) as EvaluationRecord;
  const { firstItem, items } = deserialize(decompressed(body)) as PackedChunk;
  return { evaluation: record.id, index, firstItem, items, settings: record.settings };
}

/** What `CLAIM` answers; undefined when nothing waits. */
export function claimOf(answer: unknown): Claim | undefined {
  if (!Array.isArray(answer)) return undefined;
  const [lease, body, recordBytes, celSpent, waitedMs] = answer as Buffer[];
  if (!lease || !body || !recordBytes) return undefined;
  const text = lease.toString();
  const [index, earlierClaims, , , expectedMs, place = ''] = text.split('|');
  const record = deserialize(recordBytes) as EvaluationRecord;
  const { firstItem, items } = deserialize(decompressed(body)) as PackedChunk;
  const chunk: Chunk = { evaluation: record.id, index: Number(index), firstItem, items, settings: record.settings };
  return {
    chunk,
    earlierClaims: Number(earlierClaims),
    lease: text,
    level: levelOf(place),
    waitedMs: Math.max(0, Number(waitedMs)),
    celSpent: Number(celSpent),
    expectedMs: Number(expectedMs),
  };
}

function levelOf(place: string): Level {
  return LEVELS.find((level) => place.startsWith(`${level}/`)) ?? 'normal';
}

/** Field/value pairs by which a chunk's counts are added to its evaluation's. */
export function tallyFields(tally: Tally): (string | number)[] {
  return [
    ...TALLY_COUNTS.flatMap((count) => [`n:${count}`, tally[count]]),
    ...TALLY_PHASES.flatMap((phase) => (tally.phases[phase] === undefined ? [] : [`p:${phase}`, tally.phases[phase]])),
  ];
}

/** The fields of an evaluation's hash that tell its progress. */
export const PROGRESS_FIELDS: readonly string[] = [
  'total',
  'done',
  'failed',
  'cancelled',
  'sealed',
  ...TALLY_COUNTS.map((count) => `n:${count}`),
  ...TALLY_PHASES.map((phase) => `p:${phase}`),
];

/** The progress that an evaluation's hash tells; undefined when there is none. */
export function progressOf(fields: Readonly<Record<string, string>>): Progress | undefined {
  if (fields['total'] === undefined) return undefined;
  const [done, total] = [Number(fields['done']), Number(fields['total'])];
  return { phase: phaseOf(fields, done === total), chunksDone: done, chunksTotal: total, tally: tallyOf(fields) };
}

function phaseOf(fields: Readonly<Record<string, string>>, all: boolean): Progress['phase'] {
  if (fields['failed']) return 'failed';
  if (fields['cancelled']) return 'cancelled';
  if (!fields['sealed']) return 'receiving';
  return all ? 'complete' : 'running';
}

function tallyOf(fields: Readonly<Record<string, string>>): Tally {
  const tally = emptyTally();
  for (const count of TALLY_COUNTS) tally[count] = Number(fields[`n:${count}`] ?? 0);
  for (const phase of TALLY_PHASES) if (fields[`p:${phase}`] !== undefined) tally.phases[phase] = Number(fields[`p:${phase}`]);
  return tally;
}
