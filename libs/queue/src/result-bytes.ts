import type { ChunkResult } from '#evaluation';

/**
 * Returns the size of a chunk's result that counts towards the client's storage limit: the number of bytes of its verdicts before
 * compression.
 */
export function resultBytes({ verdicts }: ChunkResult): number {
  return verdicts.reduce((sum, verdict) => sum + Buffer.byteLength(verdict), 0);
}
