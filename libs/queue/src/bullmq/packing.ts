import { deserialize, serialize } from 'node:v8';
import { emptyTally, steadyNow } from '#evaluation';
import type { ChunkResult, DefinitionText, Tally } from '#evaluation';
import { UnreadableContent } from '../at-rest/sealing.ts';
import type { Sealing } from '../at-rest/sealing.ts';
import { packedPart, packedResult, unpackedPart, unpackedResult } from '../jobs/packed-forms.ts';
import type { PackedPart, PackedResult } from '../jobs/packed-forms.ts';
import type { BegunJob, EvaluationRecord, JobPart, Progress } from '../ports.ts';
import { compressed, decompressed } from './compression.ts';

const TALLY_COUNTS = ['items', 'accepted', 'rejected', 'notEvaluated', 'cancelled', 'warnings', 'takenOff', 'celCost'] as const;
const TALLY_PHASES = ['parse', 'schema', 'cel', 'total'] as const;

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

/** Packs (compresses and encrypts) a part of a job for storage in Redis. */
export const packPart = (sealing: Sealing, part: JobPart): Uint8Array => sealing.seal('chunk', compressed(serialize(packedPart(part))));

/**
 * Returns the part that was passed to {@link packPart}. The bytes of its items are views of one shared buffer. Throws
 * {@link UnreadableContent} if other software wrote the bytes.
 */
export const unpackPart = (sealing: Sealing, stored: Buffer): JobPart =>
  unpackedPart(unpackStored<PackedPart>(() => decompressed(sealing.open('chunk', stored)), 'ends'));

/** Packs (compresses and encrypts) the result of a part for storage in Redis. */
export const packResult = (sealing: Sealing, result: ChunkResult): Uint8Array =>
  sealing.seal('result', compressed(serialize(packedResult(result))));

/** Unpacks the result of a part. Throws {@link UnreadableContent} if other software wrote the bytes. */
export const unpackResult = (sealing: Sealing, stored: Buffer): ChunkResult =>
  unpackedResult(unpackStored<PackedResult>(() => decompressed(sealing.open('result', stored)), 'text'));

/** Serializes, compresses and seals a definition's text for storage in Redis. */
export const packDefinition = (sealing: Sealing, text: DefinitionText): Buffer =>
  Buffer.from(sealing.seal('definition', compressed(serialize(text))));
export const unpackDefinition = (sealing: Sealing, stored: Buffer): DefinitionText =>
  unpackStored<DefinitionText>(() => decompressed(sealing.open('definition', stored)), 'slice');

/** Serializes and encrypts the record of a job for storage in Redis. */
export const packRecord = (sealing: Sealing, record: EvaluationRecord): Uint8Array => sealing.seal('record', serialize(record));
export const unpackRecord = (sealing: Sealing, stored: Buffer): EvaluationRecord =>
  unpackStored<EvaluationRecord>(() => sealing.open('record', stored), 'settings');

/** Answer of the Lua script `begin`: packed record, numbers, and indexes of the parts that have a result. */
export type BeginAnswer = readonly [record: Buffer, numbers: readonly Buffer[], done: readonly Buffer[]];

/** Unpacks the answer of the Lua script `begin`. The server's clock says what is left of the deadline. */
export function unpackBegun(sealing: Sealing, [packed, numbers, done]: BeginAnswer): BegunJob {
  const [fence = 0, starts = 0, startsWithoutResult = 0, parts = 0, celSpent = 0, leftMs = 0, waitedMs = 0] = numbers.map(Number);
  const { settings, ...rest } = unpackRecord(sealing, packed);
  const record = { ...rest, settings: { ...settings, deadlineAt: steadyNow() + leftMs } };
  return { record, fence, startsWithoutResult, isTakenOver: starts > 1, parts, done: new Set(done.map(Number)), celSpent, waitedMs };
}

/**
 * Returns the counts of outcomes and the phase times of a part. The keys are the fields of the job's Redis hash to which the
 * numbers are added.
 */
export function tallyFields(tally: Tally): Readonly<Record<string, number>> {
  const counts = TALLY_COUNTS.map((count) => [`n:${count}`, tally[count]] as const).filter(([, by]) => by !== 0);
  const phases = TALLY_PHASES.flatMap((phase) => (tally.phases[phase] === undefined ? [] : [[`p:${phase}`, tally.phases[phase]] as const]));
  return Object.fromEntries([...counts, ...phases]);
}

/** Fields of a job's Redis hash that contain the progress of the job. */
export const PROGRESS_FIELDS: readonly string[] = [
  'state',
  'total',
  'done',
  ...TALLY_COUNTS.map((count) => `n:${count}`),
  ...TALLY_PHASES.map((phase) => `p:${phase}`),
];

/** Returns the progress of a job from the fields of its Redis hash. Returns undefined if the job does not exist. */
export function progressOf(fields: Readonly<Record<string, string>>): Progress | undefined {
  if (fields['state'] === undefined || fields['total'] === undefined) return undefined;
  const phase = fields['state'] as Progress['phase'];
  return { phase, partsDone: Number(fields['done']), partsTotal: Number(fields['total']), tally: tallyOf(fields) };
}

function tallyOf(fields: Readonly<Record<string, string>>): Tally {
  const tally = emptyTally();
  for (const count of TALLY_COUNTS) tally[count] = Number(fields[`n:${count}`] ?? 0);
  for (const phase of TALLY_PHASES) if (fields[`p:${phase}`] !== undefined) tally.phases[phase] = Number(fields[`p:${phase}`]);
  return tally;
}
