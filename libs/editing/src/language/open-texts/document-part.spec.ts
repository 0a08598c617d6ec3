import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '#kube';
import { DocumentPart } from './document-part.ts';

describe('a document of a text', () => {
  const written = (words: string): string => `kind: Widget\nspec: {words: "${words}"}\n`;

  it('is parsed once for all versions, up to the size limit of a server', () => {
    expect(DocumentPart.of(written('x'.repeat(MAX_BODY_BYTES - 100))).body).toMatchObject({ kind: 'Widget' });
  });

  it('is plain text if a server rejects its length', () => {
    // Each character has two bytes.
    const text = written('é'.repeat(MAX_BODY_BYTES / 2));
    expect(DocumentPart.of(text).body).toBe(text);
  });
});
