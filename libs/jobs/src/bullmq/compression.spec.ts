import { describe, expect, it } from 'vitest';
import { compressed, decompressed } from './compression.ts';

describe('stored bytes', () => {
  it.each([0, 1, 2047, 2048, 300_000])('come back as they were: %i of them', (length) => {
    const bytes = Buffer.from(Array.from({ length }, (_, i) => (i * 7919) % 251));
    expect(decompressed(compressed(bytes)).equals(bytes)).toBe(true);
  });

  it('are few where texts repeat', () => {
    const text = Buffer.from('{"apiVersion":"example.com/v1","kind":"Widget"}'.repeat(5000));
    expect(compressed(text).length).toBeLessThan(text.length / 50);
  });

  it('are refused in another form', () => {
    expect(() => decompressed(Buffer.from([7, 1, 2]))).toThrow(/unknown form/);
    expect(() => decompressed(Buffer.of(1, 2, 3))).toThrow();
  });
});
