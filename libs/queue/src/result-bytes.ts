import type { ChunkResult } from '#evaluation';

/** Returns the size that is charged for a result: the number of bytes of its verdicts before compression. */
export function resultBytes({ verdicts }: ChunkResult): number {
  return verdicts.reduce((sum, verdict) => sum + Buffer.byteLength(verdict), 0);
}
