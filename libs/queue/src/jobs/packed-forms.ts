import { linedResult, linesOf } from '#evaluation';
import type { ChunkResult, DocumentSlice } from '#evaluation';
import type { JobPart } from '../ports.ts';

type Notation = DocumentSlice['notation'];

/** Part of a job in the form in which it is stored. Data that all parts share is in the record of the job. */
export interface PackedPart {
  readonly firstItem: number;
  /** Bytes of all items, one after another. */
  readonly bytes: Uint8Array;
  /** Offset in `bytes` at which each item ends, excluded. The next item begins there. */
  readonly ends: Uint32Array;
  /** Notation of all items (`json` or `yaml`), or a list with the notation of each item if the items differ. */
  readonly notation: Notation | readonly Notation[];
}

/** Returns a part in the form in which it is stored. */
export function packedPart({ firstItem, items }: JobPart): PackedPart {
  let end = 0;
  const ends = Uint32Array.from(items, ({ bytes }) => (end += bytes.length));
  const notations = items.map(({ notation }) => notation);
  const [first = 'json'] = notations;
  const notation = notations.every((one) => one === first) ? first : notations;
  return { firstItem, bytes: Buffer.concat(items.map(({ bytes }) => bytes)), ends, notation };
}

/** Returns the part that was passed to {@link packedPart}. The bytes of its items are views of one shared buffer. */
export function unpackedPart({ firstItem, bytes, ends, notation }: PackedPart): JobPart {
  const items = Array.from(ends, (end, i) => ({
    bytes: bytes.subarray(i === 0 ? 0 : ends[i - 1], end),
    notation: typeof notation === 'string' ? notation : (notation[i] ?? 'json'),
  }));
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
