import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '#kube';
import { DocumentPart } from './document-part.ts';

describe('a document of a text', () => {
  const written = (words: string): string => `kind: Widget\nspec: {words: "${words}"}\n`;

  it('is read once for all minors, up to what a server takes', () => {
    expect(DocumentPart.of(written('x'.repeat(MAX_BODY_BYTES - 100))).body).toMatchObject({ kind: 'Widget' });
  });

  it('is its text where a server refuses that for its length', () => {
    // Two bytes each.
    const text = written('é'.repeat(MAX_BODY_BYTES / 2));
    expect(DocumentPart.of(text).body).toBe(text);
  });
});
