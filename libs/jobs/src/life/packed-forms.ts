import { linedResult, linesOf } from '#documents';
import type { ChunkResult, DocumentSlice } from '#documents';
import type { JobPart } from '../ports.ts';

type Notation = DocumentSlice['notation'];

/** Part of a job in the form in which it is stored. Data that all parts share is in the record of the job. */
export interface PackedPart {
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
