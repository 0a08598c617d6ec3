import { describe, expect, it, vi } from 'vitest';
import { remembering } from './recent-texts.ts';

describe('remembering', () => {
  function counted() {
    const make = vi.fn((text: string) => ({ text }));
    return { make, made: remembering(make) };
  }

  it('computes one value for repeated calls with a text', () => {
    const { make, made } = counted();
    const values = ['a', 'b', '', 'a', '', 'b'].map((text) => made(text));
    expect(values.map(({ text }) => text)).toEqual(['a', 'b', '', 'a', '', 'b']);
    expect(make).toHaveBeenCalledTimes(3);
    expect(values[3]).toBe(values[0]);
  });

  it('stores the values of four texts, and of no long text', () => {
    const { make, made } = counted();
    for (const text of ['a', 'b', 'c', 'd', 'e', 'e', 'b']) made(text);
    expect(make).toHaveBeenCalledTimes(5);
    expect(made('a').text).toBe('a');
    expect(make).toHaveBeenCalledTimes(6);
    const long = 'x'.repeat(257);
    expect(made(long)).not.toBe(made(long));
  });
});
