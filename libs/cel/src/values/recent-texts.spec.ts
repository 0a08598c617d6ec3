import { beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetTexts, remembering } from './recent-texts.ts';

describe('remembering', () => {
  const make = vi.fn((text: string) => ({ text }));
  const made = remembering(make);

  beforeEach(() => {
    forgetTexts();
    make.mockClear();
  });

  it('makes of each text once what is asked of it again and again', () => {
    const values = ['a', 'b', '', 'a', '', 'b'].map((text) => made(text));
    expect(values.map(({ text }) => text)).toEqual(['a', 'b', '', 'a', '', 'b']);
    expect(make).toHaveBeenCalledTimes(3);
    expect(values[3]).toBe(values[0]);
  });

  it('remembers four texts, and none that is long', () => {
    for (const text of ['a', 'b', 'c', 'd', 'e', 'e', 'b']) made(text);
    expect(make).toHaveBeenCalledTimes(5);
    expect(made('a').text).toBe('a');
    expect(make).toHaveBeenCalledTimes(6);
    const long = 'x'.repeat(257);
    expect(made(long)).not.toBe(made(long));
  });

  it('forgets all when it is told to', () => {
    const first = made('a');
    forgetTexts();
    expect(made('a')).not.toBe(first);
  });
});
