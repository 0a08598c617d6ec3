import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '#kube';
import { DocumentPart } from './document-part.ts';

describe('a document of an open text', () => {
  const written = (words: string): string => `kind: Widget\nspec: {words: "${words}"}\n`;

  it('is parsed if it is below the size limit of a server', () => {
    expect(DocumentPart.of(written('x'.repeat(MAX_BODY_BYTES - 100))).body).toMatchObject({ kind: 'Widget' });
  });

  it('stays a string if it is above the size limit of a server', () => {
    // Each character has two bytes.
    const text = written('é'.repeat(MAX_BODY_BYTES / 2));
    expect(DocumentPart.of(text).body).toBe(text);
  });
});
