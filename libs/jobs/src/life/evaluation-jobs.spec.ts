import { describe, expect, it } from 'vitest';
import type { DocumentSlice } from '#documents';
import { packedPart, unpackedPart } from './evaluation-jobs.ts';

/** Returns slices of one body, one for each pair of a start and an end. */
const slicesOf = (body: string, ...places: (readonly [start: number, end: number])[]): DocumentSlice[] => {
  const bytes = Buffer.from(body);
  return places.map(([start, end]) => ({ bytes: bytes.subarray(start, end), notation: 'json' as const }));
};
const textsOf = (items: readonly DocumentSlice[]): string[] => items.map(({ bytes }) => Buffer.from(bytes).toString());

describe('a packed part of an evaluation', () => {
  const list = slicesOf('[{"a":1},{"b":22},{}]', [1, 8], [9, 17], [18, 20]);

  it.each<readonly [string, readonly DocumentSlice[], number]>([
    ['one after another in a body, with the bytes between them', list, 19],
    ['far apart in a body, without the bytes between them', slicesOf(`{}${' '.repeat(100)}{}`, [0, 2], [102, 104]), 4],
    ['in another order than in their body, without the bytes between them', list.toReversed(), 17],
    ['items of several bodies', [...slicesOf('{}', [0, 2]), ...slicesOf('{"c":3}', [0, 7])], 9],
    ['a single item', slicesOf('xx{}xx', [2, 4]), 2],
    ['no items', [], 0],
  ])('gives back its items, and has the expected size: %s', (_, items, bytes) => {
    const packed = packedPart({ firstItem: 7, items });
    expect(packed.bytes).toHaveLength(bytes);
    const unpacked = unpackedPart(packed);
    expect([unpacked.firstItem, textsOf(unpacked.items)]).toEqual([7, textsOf(items)]);
  });

  it('keeps for each item whether it was JSON or YAML', () => {
    const items = [...slicesOf('{}', [0, 2]), { bytes: Buffer.from('a: 1'), notation: 'yaml' as const }];
    expect(unpackedPart(packedPart({ firstItem: 0, items })).items.map(({ notation }) => notation)).toEqual(['json', 'yaml']);
    const yaml = items.map(({ bytes }) => ({ bytes, notation: 'yaml' as const }));
    expect(packedPart({ firstItem: 0, items: yaml }).notation).toBe('yaml');
  });
});
