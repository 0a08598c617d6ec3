import { chunkBytes, linedResult, linesOf, verdictBytes } from '#documents';
import type { ChunkResult, DocumentSlice } from '#documents';
import { DEFAULT_FLOW_LIMITS } from '#runner/flow';
import type { EvaluationForms, EvaluationRecord, JobPart } from '../ports.ts';
import type { JobKind } from './job-kind.ts';

/** Kind of jobs that evaluate objects. */
export const EVALUATION_JOBS: JobKind<EvaluationForms> = {
  name: 'evaluation',
  isLimited: true,
  record: { content: 'record', field: 'settings', pack: (record) => record, unpack: (plain) => withFlow(plain as EvaluationRecord) },
  body: { content: 'chunk', field: 'firstItem', pack: packedPart, unpack: partOf },
  result: { content: 'result', field: 'tally', pack: packedResult, unpack: resultOf },
  note: { content: 'record', field: '', pack: () => ({}), unpack: () => undefined },
  bodyOf: (items, firstItem) => ({ firstItem, items }),
  sizeOf: (items) => ({ items: items.length, bytes: chunkBytes(items) }),
  bytesOf: ({ items }) => chunkBytes(items),
  chargeOf: (result) => ({ bytes: verdictBytes(result), celCharge: result.celCharge, tally: result.tally }),
  percentOf: () => 0,
  deadlineOf: ({ settings }) => settings.deadlineAt,
  due: (record, deadlineAt) => ({ ...record, settings: { ...record.settings, deadlineAt } }),
  definitionsOf: ({ settings: { definitions } }) => definitions.map(({ digest }) => digest),
};

/** Unpacks a part. Journals of form 1 contain its items in another form. */
function partOf(plain: object): JobPart {
  const part = plain as PackedPart | JobPart;
  return 'items' in part ? { firstItem: part.firstItem, items: part.items } : unpackedPart(part);
}

/** Unpacks a result. Journals of form 1 contain its verdicts in another form. */
function resultOf(plain: object): ChunkResult {
  const result = plain as PackedResult | ChunkResult;
  return 'verdicts' in result ? result : unpackedResult(result);
}

/**
 * Adds missing fields to a record from an older journal. Journals that predate flow control contain only the name of a flow, or no flow.
 * Journals that predate the limits of results lack these limits.
 */
function withFlow(record: EvaluationRecord): EvaluationRecord {
  const flow: unknown = record.flow;
  if (typeof flow === 'object') return { ...record, flow: { ...record.flow, limits: { ...DEFAULT_FLOW_LIMITS, ...record.flow.limits } } };
  const name = typeof flow === 'string' ? flow : '';
  return { ...record, flow: { level: 'normal', name, division: '', weight: 1, limits: DEFAULT_FLOW_LIMITS } };
}

type Notation = DocumentSlice['notation'];

/** Part of a job in the form in which it is stored. Data that all parts share is in the record of the job. */
interface PackedPart {
  readonly firstItem: number;
  /** Bytes of all items, one after another, with the bytes between them in the body that contained them. */
  readonly bytes: Uint8Array;
  /** Offset in `bytes` at which each item begins. */
  readonly starts: Uint32Array;
  /** Offset in `bytes` at which each item ends, excluded. */
  readonly ends: Uint32Array;
  /** Notation of all items (`json` or `yaml`), or a list with the notation of each item if the items differ. */
  readonly notation: Notation | readonly Notation[];
}

/** Returns a part in the form in which it is stored. */
export function packedPart({ firstItem, items }: JobPart): PackedPart {
  const notations = items.map(({ notation }) => notation);
  const [first = 'json'] = notations;
  const notation = notations.every((one) => one === first) ? first : notations;
  return { firstItem, ...(placedInBody(items) ?? placedAnew(items)), notation };
}

/** Bytes that contain all items of a part, with the place of each item. */
type Placed = Pick<PackedPart, 'bytes' | 'starts' | 'ends'>;

/** Maximum size of the bytes that contain the items of a part, as a multiple of the items' own size. */
const MAX_SPAN = 1.2;

/** Returns the bytes of the body between the first and the last item, without copying. Returns undefined if they contain much else. */
function placedInBody(items: readonly DocumentSlice[]): Placed | undefined {
  const [first, last] = [items[0]?.bytes, items.at(-1)?.bytes];
  if (!first || !last) return undefined;
  const { buffer, byteOffset: origin } = first;
  const [starts, ends] = [new Uint32Array(items.length), new Uint32Array(items.length)];
  let [end, size] = [origin, 0];
  for (const [i, { bytes }] of items.entries()) {
    if (bytes.buffer !== buffer || bytes.byteOffset < end) return undefined;
    starts[i] = bytes.byteOffset - origin;
    end = bytes.byteOffset + bytes.length;
    ends[i] = end - origin;
    size += bytes.length;
  }
  return end - origin > MAX_SPAN * size ? undefined : { bytes: new Uint8Array(buffer, origin, end - origin), starts, ends };
}

function placedAnew(items: readonly DocumentSlice[]): Placed {
  const [starts, ends] = [new Uint32Array(items.length), new Uint32Array(items.length)];
  let end = 0;
  for (const [i, { bytes }] of items.entries()) {
    starts[i] = end;
    ends[i] = end += bytes.length;
  }
  return { bytes: Buffer.concat(items.map(({ bytes }) => bytes)), starts, ends };
}

/** Returns the part that was passed to {@link packedPart}. The bytes of its items are views of one shared buffer. */
export function unpackedPart({ firstItem, bytes, starts, ends, notation }: PackedPart): JobPart {
  const items: DocumentSlice[] = [];
  for (let i = 0; i < ends.length; i++)
    items.push({
      bytes: bytes.subarray(starts[i], ends[i]),
      notation: typeof notation === 'string' ? notation : (notation[i] ?? 'json'),
    });
  return { firstItem, items };
}

/** Result of a part, or of an offered run, in the form in which it is stored. */
export interface PackedResult extends Omit<ChunkResult, 'verdicts' | 'lines'> {
  /** Verdicts as UTF-8 bytes, each with a line feed behind it. */
  readonly text: Uint8Array;
}

/** Returns a result in the form in which it is stored. */
export function packedResult(result: ChunkResult): PackedResult {
  const { tally, celCharge, spans } = result;
  const lines = linesOf(result);
  return { tally, celCharge, spans, text: lines.length === 1 ? (lines[0] ?? new Uint8Array()) : Buffer.concat(lines) };
}

/** Returns the result that was passed to {@link packedResult}. */
export const unpackedResult = ({ text, ...rest }: PackedResult): ChunkResult => linedResult([text], rest);
