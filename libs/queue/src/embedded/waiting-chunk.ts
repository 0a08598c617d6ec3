import { chunkBytes } from '#evaluation';
import type { Chunk } from '#evaluation';
import type { Sized } from '#runner/flow';

/**
 * Chunk (stretch of consecutive items of an evaluation) that waits in the fair queue for a thread. The same queue may contain entries of
 * other work.
 */
export class WaitingChunk implements Sized {
  readonly chunk: Chunk;
  /** Number of earlier claims of the chunk. */
  readonly earlierClaims: number;
  /** Time at which the chunk last started to wait, in epoch ms. */
  readonly queuedAt: number;
  readonly items: number;
  readonly bytes: number;

  constructor(chunk: Chunk, earlierClaims: number, queuedAt: number) {
    this.chunk = chunk;
    this.earlierClaims = earlierClaims;
    this.queuedAt = queuedAt;
    this.items = chunk.items.length;
    this.bytes = chunkBytes(chunk.items);
  }
}
