import { deserialize, serialize } from 'node:v8';
import { emptyTally, steadyNow } from '#evaluation';
import type { Chunk, ChunkResult, DefinitionText, DocumentSlice, Notation, Tally } from '#evaluation';
import { UnreadableContent } from '../at-rest/sealing.ts';
import type { Sealing } from '../at-rest/sealing.ts';
import { queueKeyOf } from '#runner/flow';
import type { Claim, EvaluationRecord, Progress } from '../ports.ts';
import { compressed, decompressed } from './compression.ts';
import type { ClaimAnswer } from './lua/command.ts';

const TALLY_COUNTS = ['items', 'accepted', 'rejected', 'notEvaluated', 'cancelled', 'warnings', 'takenOff', 'celCost'] as const;
const TALLY_PHASES = ['parse', 'schema', 'cel', 'total'] as const;

/** Chunk in the form in which Redis stores it. Data that all chunks of an evaluation share is in the evaluation's record. */
interface PackedChunk {
  readonly firstItem: number;
  /** Bytes of all items, one after another. */
  readonly bytes: Uint8Array;
  /** Offset in `bytes` at which each item ends, excluded. The next item begins there. */
  readonly ends: Uint32Array;
  /** Notation of all items (`json` or `yaml`), or a list with the notation of each item if the items differ. */
  readonly notation: Notation | readonly Notation[];
}

/** Result of a chunk, or of an offered run, in the form in which Redis stores it. */
export interface PackedResult extends Omit<ChunkResult, 'verdicts'> {
  readonly count: number;
  /** Verdicts as JSON texts without line breaks, one on each line. */
  readonly lines: string;
}

/**
 * Decrypts and deserializes stored bytes into an object that has the field `field`. Throws {@link UnreadableContent} if other software
 * wrote the bytes.
 */
export function unpackStored<Stored extends object>(read: () => Buffer, field: keyof Stored): Stored {
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

/**
 * Packs the items of a chunk for Redis.
 *
 * @param firstItem index of the chunk's first item in its evaluation, from 0
 */
export function packChunk(sealing: Sealing, firstItem: number, items: readonly DocumentSlice[]): Uint8Array {
  let end = 0;
  const ends = Uint32Array.from(items, ({ bytes }) => (end += bytes.length));
  const notations = items.map(({ notation }) => notation);
  const [first = 'json'] = notations;
  const notation = notations.every((one) => one === first) ? first : notations;
  const chunk: PackedChunk = { firstItem, bytes: Buffer.concat(items.map(({ bytes }) => bytes)), ends, notation };
  return sealing.seal('chunk', compressed(serialize(chunk)));
}

/** Returns the items of a packed chunk. Their bytes are views of one shared buffer. */
function itemsOf({ bytes, ends, notation }: PackedChunk): DocumentSlice[] {
  return Array.from(ends, (end, i) => ({
    bytes: bytes.subarray(i === 0 ? 0 : ends[i - 1], end),
    notation: typeof notation === 'string' ? notation : (notation[i] ?? 'json'),
  }));
}

/** Returns a result in the form in which Redis stores it. */
export const packedResult = ({ verdicts, ...rest }: ChunkResult): PackedResult => ({
  ...rest,
  count: verdicts.length,
  lines: verdicts.join('\n'),
});

/** Returns the result that was passed to {@link packedResult}. */
export const unpackedResult = ({ count, lines, ...rest }: PackedResult): ChunkResult => ({
  ...rest,
  verdicts: count === 0 ? [] : lines.split('\n'),
});

/** Packs (compresses and encrypts) the result of a chunk for storage in Redis. */
export const packResult = (sealing: Sealing, result: ChunkResult): Uint8Array =>
  sealing.seal('result', compressed(serialize(packedResult(result))));

/** Unpacks the result of a chunk. Throws {@link UnreadableContent} if other software wrote the bytes. */
export const unpackResult = (sealing: Sealing, stored: Buffer): ChunkResult =>
  unpackedResult(unpackStored<PackedResult>(() => decompressed(sealing.open('result', stored)), 'lines'));

/** Serializes, compresses and seals a definition's text for storage in Redis. */
export const packDefinition = (sealing: Sealing, text: DefinitionText): Buffer =>
  Buffer.from(sealing.seal('definition', compressed(serialize(text))));
export const unpackDefinition = (sealing: Sealing, stored: Buffer): DefinitionText =>
  unpackStored<DefinitionText>(() => decompressed(sealing.open('definition', stored)), 'slice');

/** Serializes and encrypts the record of an evaluation for storage in Redis. */
export const packRecord = (sealing: Sealing, record: EvaluationRecord): Uint8Array => sealing.seal('record', serialize(record));
export const unpackRecord = (sealing: Sealing, stored: Buffer): EvaluationRecord =>
  unpackStored<EvaluationRecord>(() => sealing.open('record', stored), 'settings');

/** Unpacks the response of `claim.lua`. Returns undefined if no chunk was claimed. */
export function claimOf(sealing: Sealing, answer: unknown): Claim | undefined {
  if (!Array.isArray(answer)) return undefined;
  const [summary, body, packedRecord] = answer as Buffer[];
  if (!summary || !body || !packedRecord) return undefined;
  const { lease, chunk: index, claims, cost, celSpent, waitedMs, leftMs } = JSON.parse(summary.toString()) as ClaimAnswer;
  const record = unpackRecord(sealing, packedRecord);
  const packed = unpackStored<PackedChunk>(() => decompressed(sealing.open('chunk', body)), 'ends');
  // The server's clock says what is left; the one that accepted the evaluation is another process's.
  const settings = { ...record.settings, deadlineAt: steadyNow() + leftMs };
  const chunk: Chunk = { evaluation: record.id, index, firstItem: packed.firstItem, items: itemsOf(packed), settings };
  return { chunk, earlierClaims: claims, lease, queueKey: queueKeyOf(record), waitedMs, celSpent, expectedMs: cost };
}

/**
 * Returns the counts of outcomes and the phase times of a chunk. The keys are the fields of the evaluation's Redis hash to which the
 * numbers are added.
 */
export function tallyFields(tally: Tally): Readonly<Record<string, number>> {
  const counts = TALLY_COUNTS.map((count) => [`n:${count}`, tally[count]] as const).filter(([, by]) => by !== 0);
  const phases = TALLY_PHASES.flatMap((phase) => (tally.phases[phase] === undefined ? [] : [[`p:${phase}`, tally.phases[phase]] as const]));
  return Object.fromEntries([...counts, ...phases]);
}

/** Fields of an evaluation's Redis hash that contain the progress of the evaluation. */
export const PROGRESS_FIELDS: readonly string[] = [
  'state',
  'total',
  'done',
  ...TALLY_COUNTS.map((count) => `n:${count}`),
  ...TALLY_PHASES.map((phase) => `p:${phase}`),
];

/**
 * Returns the progress of an evaluation. `fields` contains the fields of the Redis hash that stores the evaluation. Returns undefined if
 * the evaluation does not exist.
 */
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
