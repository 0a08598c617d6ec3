import { describe, expect, it } from 'vitest';
import { seededWhole } from '../../../testing/seeded-random.ts';
import { threadCpuMs } from '../../../testing/thread-cpu.ts';
import { compareBytes, goSort } from './sort.ts';

function order(keys: readonly number[]): number[] {
  const indices = keys.map((_, index) => index);
  goSort(indices, (a, b) => (keys[a] as number) < (keys[b] as number));
  return indices;
}

describe('goSort', () => {
  it('puts equal elements in the same order as Go', () => {
    const keys = Array.from({ length: 16 }, (_, index) => index % 3);
    expect(order(keys)).toEqual([6, 15, 12, 3, 0, 9, 4, 7, 10, 13, 1, 8, 5, 11, 2, 14]);
  });

  it('does not move elements across a NaN', () => {
    expect(order([3, NaN, 1, 2])).toEqual([0, 1, 2, 3]);
  });

  it('sorts numbers', () => {
    const keys = Array.from({ length: 5000 }, (_, index) => (index * 7919) % 5003);
    expect(order(keys).map((index) => keys[index])).toEqual(keys.toSorted((a, b) => a - b));
  });
});

/** Characters of one to four bytes, and code units around the surrogates, which JavaScript orders otherwise than Go. */
const CHARACTERS = ['a', 'b', '\0', 'é', '字', '\ud7ff', '\ue000', '\uffff', '😀', '𐀀', '\u{10ffff}'];
const LONG = 500_000;

describe("compareBytes(), which gives Go's order of JSON keys,", () => {
  it('orders texts by their UTF-8 bytes', () => {
    const whole = seededWhole(7);
    const text = (length: number): string => Array.from({ length }, () => CHARACTERS[whole(CHARACTERS.length)]).join('');
    for (let i = 0; i < 30_000; i++) {
      const start = text(whole(i % 100 === 0 ? 2000 : 50));
      const [a, b] = [start + text(whole(4)), (whole(8) === 0 ? '' : start) + text(whole(4))];
      if (Math.sign(compareBytes(a, b)) !== Buffer.compare(Buffer.from(a), Buffer.from(b))) expect([a, b]).toEqual([]);
    }
  });

  it('puts lone surrogates after all other code units', () => {
    expect(compareBytes('a\ud800', 'a\uffff')).toBeGreaterThan(0);
    expect(compareBytes(`${'a'.repeat(99)}\uffff`, `${'a'.repeat(99)}\udfff`)).toBeLessThan(0);
    expect(compareBytes('\ud800', '\udfff')).toBeLessThan(0);
  });

  it.each(['a', 'é', '字', '😀'])('needs no loop in JavaScript over the characters of long keys: %s', (character) => {
    const text = character.repeat(LONG);
    for (const [a, b] of [
      [`${text}a`, `${text}b`],
      [`${text}a${text}`, `${text}b${text}`],
    ] as const) {
      expect(compareBytes(a, b)).toBeLessThan(0);
      let fastest = Infinity;
      for (let i = 0; i < 10; i++) {
        const started = threadCpuMs();
        compareBytes(a, b);
        fastest = Math.min(fastest, threadCpuMs() - started);
      }
      expect(fastest).toBeLessThan(2);
    }
  });
});
