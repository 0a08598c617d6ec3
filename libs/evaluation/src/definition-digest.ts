import { createHash } from 'node:crypto';
import type { Minor } from '#kube';
import type { DefinitionText } from './chunk.ts';
import type { DocumentSlice } from './item.ts';

/** Changes whenever compiled definitions of an older build must not be taken for ours. */
const FORMAT = 'assay-definition-1';

/** SHA-256 (hex) over the raw text, its notation and the minor, each with its length before it. Always computed here, never taken from a client. */
function definitionDigest(slice: DocumentSlice, minor: string): string {
  const hash = createHash('sha256');
  for (const part of [FORMAT, minor, slice.notation]) hash.update(`${part.length}:${part}`);
  return hash.update(`${slice.bytes.length}:`).update(slice.bytes).digest('hex');
}

/** A definition as a minor is to judge it. */
export function definitionText(slice: DocumentSlice, minor: Minor): DefinitionText {
  return { digest: definitionDigest(slice, minor), slice, minor };
}
