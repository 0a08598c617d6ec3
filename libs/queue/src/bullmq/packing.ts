import { deserialize, serialize } from 'node:v8';
import { emptyTally, steadyNow } from '#evaluation';
import type { Chunk, ChunkResult, DefinitionText, DocumentSlice, Tally } from '#evaluation';
import { UnreadableContent } from '../at-rest/sealing.ts';
import type { Sealing } from '../at-rest/sealing.ts';
import type { Claim, EvaluationRecord, Progress } from '../ports.ts';
import { compressed, decompressed } from './compression.ts';
import type { ClaimAnswer } from './lua/command.ts';

const TALLY_COUNTS = ['items', 'accepted', 'rejected', 'notEvaluated', 'cancelled', 'warnings', 'takenOff', 'celCost'] as const;
const TALLY_PHASES = ['parse', 'schema', 'cel', 'total'] as const;

/** A chunk as it lies in Redis: what all chunks of an evaluation share lies in its record. */
interface PackedChunk {
  readonly firstItem: number;
  readonly items: readonly { readonly bytes: Uint8Array; readonly notation: DocumentSlice['notation'] }[];
}

/** Returns what stored bytes say: an object that has this field. Throws {@link UnreadableContent} for what others wrote. */
function unpacked<Stored extends object>(read: () => Buffer, field: keyof Stored): Stored {
  const value = deserialized(read);
  if (typeof value === 'object' && value !== null && field in value) return value as Stored;
  throw new UnreadableContent('what is stored has a form that is not ours');
}

function deserialized(read: () => Buffer): unknown {
  try {
    return deserialize(read());
  } catch (error) {
    if (error instanceof UnreadableContent) throw error;
    throw new UnreadableContent('what is stored was not written by us', { cause: error });
  }
}

/** A chunk's items, the first of which is number `firstItem` (from 0) of its evaluation, as they lie in Redis. */
export function packChunk(sealing: Sealing, firstItem: number, items: readonly DocumentSlice[]): Uint8Array {
  const chunk: PackedChunk = { firstItem, items: items.map(({ bytes, notation }) => ({ bytes, notation })) };
  return sealing.seal('chunk', compressed(serialize(chunk)));
}

/** A chunk's result as it lies in Redis. */
export const packResult = (sealing: Sealing, result: ChunkResult): Uint8Array => sealing.seal('result', compressed(serialize(result)));
export const unpackResult = (sealing: Sealing, stored: Buffer): ChunkResult =>
  unpacked<ChunkResult>(() => decompressed(sealing.open('result', stored)), 'verdicts');

/** A definition's text as it lies in Redis. */
export const packDefinition = (sealing: Sealing, text: DefinitionText): Buffer =>
  Buffer.from(sealing.seal('definition', compressed(serialize(text))));
export const unpackDefinition = (sealing: Sealing, stored: Buffer): DefinitionText =>
  unpacked<DefinitionText>(() => decompressed(sealing.open('definition', stored)), 'slice');

/** An evaluation's record as it lies in Redis. */
export const packRecord = (sealing: Sealing, record: EvaluationRecord): Uint8Array => sealing.seal('record', serialize(record));
export const unpackRecord = (sealing: Sealing, stored: Buffer): EvaluationRecord =>
  unpacked<EvaluationRecord>(() => sealing.open('record', stored), 'settings');

/** What `claim.lua` answers; undefined when nothing waits. */
export function claimOf(sealing: Sealing, answer: unknown): Claim | undefined {
  if (!Array.isArray(answer)) return undefined;
  const [told, body, packedRecord] = answer as Buffer[];
  if (!told || !body || !packedRecord) return undefined;
  const { lease, chunk: index, claims, level, flow, cost, celSpent, waitedMs, leftMs } = JSON.parse(told.toString()) as ClaimAnswer;
  const record = unpackRecord(sealing, packedRecord);
  const { firstItem, items } = unpacked<PackedChunk>(() => decompressed(sealing.open('chunk', body)), 'items');
  // The server's clock says what is left; the one that accepted the evaluation is another process's.
  const settings = { ...record.settings, deadlineAt: steadyNow() + leftMs };
  const chunk: Chunk = { evaluation: record.id, index, firstItem, items, settings };
  return { chunk, earlierClaims: claims, lease, level, flow, waitedMs, celSpent, expectedMs: cost };
}

/** What a chunk's counts add to the fields of its evaluation's hash. */
export function tallyFields(tally: Tally): Readonly<Record<string, number>> {
  const counts = TALLY_COUNTS.map((count) => [`n:${count}`, tally[count]] as const).filter(([, by]) => by !== 0);
  const phases = TALLY_PHASES.flatMap((phase) => (tally.phases[phase] === undefined ? [] : [[`p:${phase}`, tally.phases[phase]] as const]));
  return Object.fromEntries([...counts, ...phases]);
}

/** The fields of an evaluation's hash that tell its progress. */
export const PROGRESS_FIELDS: readonly string[] = [
  'state',
  'total',
  'done',
  ...TALLY_COUNTS.map((count) => `n:${count}`),
  ...TALLY_PHASES.map((phase) => `p:${phase}`),
];

/** The progress that an evaluation's hash tells; undefined when there is none. */
export function progressOf(fields: Readonly<Record<string, string>>): Progress | undefined {
  if (fields['state'] === undefined || fields['total'] === undefined) return undefined;
  const phase = fields['state'] as Progress['phase'];
  return { phase, chunksDone: Number(fields['done']), chunksTotal: Number(fields['total']), tally: tallyOf(fields) };
}

function tallyOf(fields: Readonly<Record<string, string>>): Tally {
  const tally = emptyTally();
  for (const count of TALLY_COUNTS) tally[count] = Number(fields[`n:${count}`] ?? 0);
  for (const phase of TALLY_PHASES) if (fields[`p:${phase}`] !== undefined) tally.phases[phase] = Number(fields[`p:${phase}`]);
  return tally;
}
