import { emptyTally, steadyNow } from '#documents';
import type { DefinitionText, Tally } from '#documents';
import { UnreadableContent } from '../at-rest/sealing.ts';
import type { ContentKind, Sealing } from '../at-rest/sealing.ts';
import type { JobKind, StoredForm } from '../life/job-kind.ts';
import type { BegunJob, JobForms, Progress } from '../ports.ts';
import { packValue, unpackValue } from './pack-value.ts';

const TALLY_COUNTS = ['items', 'accepted', 'rejected', 'notEvaluated', 'cancelled', 'warnings', 'takenOff', 'celCost'] as const;
const TALLY_PHASES = ['parse', 'schema', 'cel', 'total'] as const;

/** Packs and encrypts a value of plain data for storage in Redis. */
export const packStored = (sealing: Sealing, content: ContentKind, value: unknown): Buffer => sealing.seal(content, packValue(value));

/**
 * Returns the value that was passed to {@link packStored}, an object that has the field `field`. Throws {@link UnreadableContent} if other
 * software wrote the bytes.
 */
export function unpackStored<Stored extends object>(sealing: Sealing, content: ContentKind, stored: Buffer, field: keyof Stored): Stored {
  const value = unpacked(sealing.open(content, stored));
  if (typeof value === 'object' && value !== null && field in value) return value as Stored;
  throw new UnreadableContent('what is stored has a form that is not ours');
}

function unpacked(bytes: Buffer): unknown {
  try {
    return unpackValue(bytes);
  } catch (error) {
    throw new UnreadableContent('what is stored was not written by us', { cause: error });
  }
}

/** Packs a value for storage in Redis. */
export const packForm = <Value>(sealing: Sealing, { content, pack }: StoredForm<Value>, value: Value): Buffer =>
  packStored(sealing, content, pack(value));

/** Returns the value that was passed to {@link packForm}. Throws {@link UnreadableContent} if other software wrote the bytes. */
export const unpackForm = <Value>(sealing: Sealing, { content, field, unpack }: StoredForm<Value>, stored: Buffer): Value =>
  unpack(unpackStored<Readonly<Record<string, unknown>>>(sealing, content, stored, field));

/** Packs a definition's text for storage in Redis. */
export const packDefinition = (sealing: Sealing, text: DefinitionText): Buffer => packStored(sealing, 'definition', text);
export const unpackDefinition = (sealing: Sealing, stored: Buffer): DefinitionText =>
  unpackStored<DefinitionText>(sealing, 'definition', stored, 'slice');

/** Answer of the Lua script `begin`: packed record, numbers, and indexes of the parts that have a result. */
export type BeginAnswer = readonly [record: Buffer, numbers: readonly Buffer[], done: readonly Buffer[]];

/** Unpacks the answer of the Lua script `begin`. The server's clock says what is left of the deadline. */
export function unpackBegun<Forms extends JobForms>(
  sealing: Sealing,
  kind: JobKind<Forms>,
  [packed, numbers, done]: BeginAnswer,
): BegunJob<Forms> {
  const [fence = 0, starts = 0, startsWithoutResult = 0, parts = 0, celSpent = 0, leftMs = 0, waitedMs = 0] = numbers.map(Number);
  const record = kind.due(unpackForm(sealing, kind.record, packed), steadyNow() + leftMs);
  return { record, fence, starts, startsWithoutResult, parts, done: new Set(done.map(Number)), celSpent, waitedMs };
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
  'starts',
  'total',
  'done',
  ...TALLY_COUNTS.map((count) => `n:${count}`),
  ...TALLY_PHASES.map((phase) => `p:${phase}`),
];

/** Returns the progress of a job from the fields of its Redis hash. Returns undefined if the job does not exist. */
export function progressOf(fields: Readonly<Record<string, string>>): Progress | undefined {
  if (fields['state'] === undefined || fields['total'] === undefined) return undefined;
  const phase = fields['state'] as Progress['phase'];
  const starts = Number(fields['starts'] ?? 0);
  return { phase, starts, partsDone: Number(fields['done']), partsTotal: Number(fields['total']), tally: tallyOf(fields) };
}

function tallyOf(fields: Readonly<Record<string, string>>): Tally {
  const tally = emptyTally();
  for (const count of TALLY_COUNTS) tally[count] = Number(fields[`n:${count}`] ?? 0);
  for (const phase of TALLY_PHASES) if (fields[`p:${phase}`] !== undefined) tally.phases[phase] = Number(fields[`p:${phase}`]);
  return tally;
}
