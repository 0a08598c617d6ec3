import { describe, expect, it } from 'vitest';
import { compareBytes } from '#go';
import { periodicText, generatedText } from './texts.ts';

describe('plain texts', () => {
  it('have the requested length, and differ by their index', () => {
    const texts = Array.from({ length: 5000 }, (_, index) => generatedText(100, index));
    expect(new Set(texts).size).toBe(5000);
    expect(texts.every((text) => text.length === 100)).toBe(true);
    expect(new Set(texts.map((text) => text.slice(0, 97))).size).toBe(1);
  });

  it('differ as far as their length allows', () => {
    expect(generatedText(0, 7)).toBe('');
    expect(new Set(Array.from({ length: 62 }, (_, index) => generatedText(1, index))).size).toBe(62);
    expect(new Set(Array.from({ length: 9000 }, (_, index) => generatedText(4, index))).size).toBe(9000);
  });

  it.each([2, 3, 8, 100])('rise in byte order, from the second text on, at length %i', (length) => {
    const texts = Array.from({ length: 3000 }, (_, index) => generatedText(length, index + 1));
    expect(texts).toEqual(texts.toSorted(compareBytes));
    expect(new Set([generatedText(length, 0), ...texts]).size).toBe(3001);
  });
});

describe('periodic texts', () => {
  it('repeat their period up to the requested length in code points', () => {
    expect(periodicText('ab', 5)).toBe('ababa');
    expect(periodicText('😀b', 3)).toBe('😀b😀');
    expect(periodicText('', 3)).toBe('');
    expect(periodicText('abc', 2)).toBe('ab');
  });
});
