import { describe, expect, it } from 'vitest';
import { unescapedText } from './plain-text.ts';

const textOf = (text: string): string | undefined => {
  const bytes = Buffer.from(`"${text}"`);
  return unescapedText(bytes, 1, bytes.length - 1);
};

describe('plain text', () => {
  it('is the same each time it is met, whatever was met between', () => {
    const texts = Array.from({ length: 5000 }, (_, i) => `key${(i * 7919) % 3001}.of/${i % 17}`);
    for (const text of [...texts, ...texts]) expect(textOf(text)).toBe(text);
  });

  it.each(['', 'a\\u0062', 'a\\', 'ä', '€', 'tab\t', 'nul\0', '\u007f', 'a"b', 'x'.repeat(65), '\ufeffkey'])('is not %j', (text) => {
    expect(textOf(text)).toBeUndefined();
    // Nor after a text of as many bytes that begins and ends alike.
    textOf('a'.repeat(text.length));
    expect(textOf(text)).toBeUndefined();
  });
});
