import type { ChunkResult } from '#evaluation';

/** Returns the size for which a result counts: the bytes of its verdicts before compression. */
export function resultBytes({ verdicts }: ChunkResult): number {
  return verdicts.reduce((sum, verdict) => sum + Buffer.byteLength(verdict), 0);
}
