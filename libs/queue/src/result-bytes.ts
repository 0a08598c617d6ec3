import type { ChunkResult } from '#evaluation';

/** What a result counts for, bytes: its verdicts as they are sent, which is more than they take where they are stored compressed. */
export function resultBytes({ verdicts }: ChunkResult): number {
  return verdicts.reduce((sum, verdict) => sum + Buffer.byteLength(verdict), 0);
}
