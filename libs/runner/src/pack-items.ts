import { inSteps } from '#evaluation';
import type { DocumentSlice } from '#evaluation';
import type { PackedItems } from './protocol.ts';

/** Copies items into one block. */
export function packItems(items: readonly DocumentSlice[]): PackedItems {
  const bytes = new Uint8Array(items.reduce((sum, item) => sum + item.bytes.length, 0));
  const ends = new Uint32Array(items.length);
  const yaml = new Uint8Array(items.length);
  let at = 0;
  items.forEach((item, i) => {
    bytes.set(item.bytes, at);
    at += item.bytes.length;
    ends[i] = at;
    yaml[i] = item.notation === 'yaml' ? 1 : 0;
  });
  return { bytes, ends, yaml };
}

/** Views of the items in a block; nothing is copied. */
export function unpackItems(packed: PackedItems): DocumentSlice[] {
  return Array.from(packed.ends, (_, i) => itemAt(packed, i));
}

/** Items that are unpacked in one step. */
const STEP_ITEMS = 5000;

/** {@link unpackItems} where there may be many, in steps between which others may run. */
export function unpackInSteps(packed: PackedItems): Promise<DocumentSlice[]> {
  return inSteps(unpackSteps(packed));
}

function* unpackSteps(packed: PackedItems): Generator<undefined, DocumentSlice[]> {
  const items: DocumentSlice[] = [];
  for (let i = 0; i < packed.ends.length; i++) {
    if (i > 0 && i % STEP_ITEMS === 0) yield;
    items.push(itemAt(packed, i));
  }
  return items;
}

function itemAt({ bytes, ends, yaml }: PackedItems, i: number): DocumentSlice {
  return { bytes: bytes.subarray(i === 0 ? 0 : ends[i - 1], ends[i]), notation: yaml[i] === 1 ? 'yaml' : 'json' };
}
