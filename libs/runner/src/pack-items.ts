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
  return Array.from(packed.ends, (end, i) => ({
    bytes: packed.bytes.subarray(i === 0 ? 0 : packed.ends[i - 1], end),
    notation: packed.yaml[i] === 1 ? ('yaml' as const) : ('json' as const),
  }));
}
