import { runInSteps, NOTATIONS } from '#documents';
import type { CutDocument, DocumentOrigin, DocumentSlice, Notation } from '#documents';
import type { PackedCuts, PackedItems } from './protocol.ts';

/**
 * Copies the bytes of several items (documents to evaluate) into one array. The result also contains the end offset of each item and its
 * notation.
 */
export function packItems(items: readonly DocumentSlice[]): PackedItems {
  const bytes = new Uint8Array(items.reduce((sum, item) => sum + item.bytes.length, 0));
  const ends = new Uint32Array(items.length);
  const notations = new Uint8Array(items.length);
  let at = 0;
  items.forEach((item, i) => {
    bytes.set(item.bytes, at);
    at += item.bytes.length;
    ends[i] = at;
    notations[i] = NOTATIONS.indexOf(item.notation);
  });
  return { bytes, ends, notations };
}

/** Returns the items in a block as views of its bytes, without copying. */
export function unpackItems(packed: PackedItems): DocumentSlice[] {
  return Array.from(packed.ends, (_, i) => itemAt(packed, i));
}

function itemAt({ bytes, ends, notations }: PackedItems, i: number): DocumentSlice {
  return { bytes: bytes.subarray(i === 0 ? 0 : ends[i - 1], ends[i]), notation: NOTATIONS[notations[i] as number] as Notation };
}

/** Number of numbers that encode the origin of one document: start, end, and item (the index in its YAML list, or -1). */
const ORIGIN_NUMBERS = 3;
const NO_ITEM = -1;

/** Copies documents into one block, as {@link packItems} does, and adds the position of each document in the text that contained it. */
export function packDocuments(documents: readonly CutDocument[]): PackedCuts {
  const origins = new Float64Array(documents.length * ORIGIN_NUMBERS);
  documents.forEach(({ origin: { start, end, item = NO_ITEM } }, i) => origins.set([start, end, item], i * ORIGIN_NUMBERS));
  return { ...packItems(documents), origins };
}

/** Number of documents that are unpacked in one step. */
const STEP_DOCUMENTS = 5000;

/**
 * Returns the packed documents without copying: each document is a view of the bytes in the block. Works in steps, so that other tasks of
 * the event loop can run between the steps.
 */
export function unpackInSteps(packed: PackedCuts): Promise<CutDocument[]> {
  return runInSteps(unpackSteps(packed));
}

function* unpackSteps(packed: PackedCuts): Generator<undefined, CutDocument[]> {
  const documents: CutDocument[] = [];
  for (let i = 0; i < packed.ends.length; i++) {
    if (i > 0 && i % STEP_DOCUMENTS === 0) yield;
    documents.push({ ...itemAt(packed, i), origin: originAt(packed.origins, i) });
  }
  return documents;
}

function originAt(origins: Float64Array, i: number): DocumentOrigin {
  const [start = 0, end = 0, item = NO_ITEM] = origins.subarray(i * ORIGIN_NUMBERS, (i + 1) * ORIGIN_NUMBERS);
  return item === NO_ITEM ? { start, end } : { start, end, item };
}
