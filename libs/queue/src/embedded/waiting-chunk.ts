import { chunkBytes } from '#evaluation';
import type { Chunk } from '#evaluation';
import type { Sized } from '../flow/fair-queue.ts';

/** Chunk that waits in the fair queue. The same queue may contain entries of other work. */
export class WaitingChunk implements Sized {
  readonly chunk: Chunk;
  /** Earlier claims of the chunk. */
  readonly earlierClaims: number;
  /** Epoch ms at which it began to wait this time. */
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
