import { describe, expect, it } from 'vitest';
import { unescapedText } from './plain-text.ts';

const textOf = (text: string): string | undefined => {
  const bytes = Buffer.from(`"${text}"`);
  return unescapedText(bytes, 1, bytes.length - 1);
};

describe('reading plain texts from bytes', () => {
  it('returns the same string for repeated texts, whatever texts come between them', () => {
    const texts = Array.from({ length: 5000 }, (_, i) => `key${(i * 7919) % 3001}.of/${i % 17}`);
    for (const text of [...texts, ...texts]) expect(textOf(text)).toBe(text);
  });

  it.each(['', 'a\\u0062', 'a\\', 'ä', '€', 'tab\t', 'nul\0', '\u007f', 'a"b', 'x'.repeat(65), '\ufeffkey'])('rejects %j', (text) => {
    expect(textOf(text)).toBeUndefined();
    // The cache must not confuse two texts that have the same length, beginning and end.
    textOf('a'.repeat(text.length));
    expect(textOf(text)).toBeUndefined();
  });
});
