import { describe, expect, it, vi } from 'vitest';
import { memoizeRecent, memoizeWeak } from './memo.ts';

describe('memoizeWeak', () => {
  it('computes one value for each object, even if the value is undefined', () => {
    const compute = vi.fn(({ n }: { readonly n: number }) => (n === 0 ? undefined : [n]));
    const found = memoizeWeak(compute);
    const [zero, one] = [{ n: 0 }, { n: 1 }];
    expect(found(one)).toBe(found(one));
    expect([found(zero), found(zero)]).toEqual([undefined, undefined]);
    expect(found({ n: 1 })).not.toBe(found(one));
    expect(compute).toHaveBeenCalledTimes(3);
  });

  it('stores nothing if the computation throws', () => {
    const compute = vi.fn((key: object) => {
      if (compute.mock.calls.length === 1) throw new Error('first');
      return key;
    });
    const found = memoizeWeak(compute);
    const key = {};
    expect(() => found(key)).toThrow('first');
    expect(found(key)).toBe(key);
  });

  it('lets the computation of one object compute the value of another object', () => {
    type Node = { readonly next?: Node };
    const depth: (node: Node) => number = memoizeWeak(({ next }) => 1 + (next === undefined ? 0 : depth(next)));
    expect(depth({ next: { next: {} } })).toBe(3);
  });
});

describe('memoizeRecent', () => {
  const counted = () => {
    const compute = vi.fn((text: string) => ({ text }));
    return { compute, found: memoizeRecent(compute, { count: 4, length: 256 }) };
  };

  it('computes one value for repeated calls with the same text', () => {
    const { compute, found } = counted();
    const values = ['a', 'b', '', 'a', '', 'b'].map((text) => found(text));
    expect(values.map(({ text }) => text)).toEqual(['a', 'b', '', 'a', '', 'b']);
    expect(compute).toHaveBeenCalledTimes(3);
    expect(values[3]).toBe(values[0]);
  });

  it('empties its store if the store is full, and stores no long text', () => {
    const { compute, found } = counted();
    for (const text of ['a', 'b', 'c', 'd', 'a', 'e', 'e']) found(text);
    expect(compute).toHaveBeenCalledTimes(5);
    expect(found('a').text).toBe('a');
    expect(compute).toHaveBeenCalledTimes(6);
    const long = 'x'.repeat(257);
    expect(found(long)).not.toBe(found(long));
  });
});
