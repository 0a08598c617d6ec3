import { setTimeout } from 'node:timers/promises';
import type { WorkQueue } from '#queue';
import type { Engine } from '../ports.ts';
import { expectedMsOf, RENEW_MS } from './chunk-consumer.ts';
import type { ChunkConsumer } from './chunk-consumer.ts';
import { Hands } from './hands.ts';

/**
 * Claims chunks from a queue in another process whenever the engine takes one more, until `signal` is aborted. A queue that does not answer is
 * asked again.
 */
export async function pullChunks(
  work: Pick<WorkQueue, 'claim'>,
  consumer: ChunkConsumer,
  engine: Pick<Engine, 'threads'>,
  signal: AbortSignal,
): Promise<void> {
  const hands = new Hands(engine.threads);
  while (!signal.aborted) {
    try {
      await hands.whenFree();
      const claim = await work.claim(signal);
      if (claim) void consumer.take(claim).finally(hands.take(expectedMsOf(claim)));
    } catch (error) {
      consumer.failed(error);
      await setTimeout(RENEW_MS);
    }
  }
  await consumer.end();
}
