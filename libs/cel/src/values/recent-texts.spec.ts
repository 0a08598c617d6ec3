import { describe, expect, it, vi } from 'vitest';
import { cachingRecentTexts } from './recent-texts.ts';

describe('remembering', () => {
  function counted() {
    const make = vi.fn((text: string) => ({ text }));
    return { make, made: cachingRecentTexts(make) };
  }

  it('makes of each text once what is asked of it again and again', () => {
    const { make, made } = counted();
    const values = ['a', 'b', '', 'a', '', 'b'].map((text) => made(text));
    expect(values.map(({ text }) => text)).toEqual(['a', 'b', '', 'a', '', 'b']);
    expect(make).toHaveBeenCalledTimes(3);
    expect(values[3]).toBe(values[0]);
  });

  it('remembers four texts, and none that is long', () => {
    const { make, made } = counted();
    for (const text of ['a', 'b', 'c', 'd', 'e', 'e', 'b']) made(text);
    expect(make).toHaveBeenCalledTimes(5);
    expect(made('a').text).toBe('a');
    expect(make).toHaveBeenCalledTimes(6);
    const long = 'x'.repeat(257);
    expect(made(long)).not.toBe(made(long));
  });
});
