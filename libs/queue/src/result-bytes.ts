import type { ChunkResult } from '#evaluation';

/** Returns the size for which a result counts, bytes: that of its verdicts before they are compressed. */
export function resultBytes({ verdicts }: ChunkResult): number {
  return verdicts.reduce((sum, verdict) => sum + Buffer.byteLength(verdict), 0);
}
