import { setTimeout } from 'node:timers/promises';
import type { WorkQueue } from '#queue';
import type { Engine } from '../ports.ts';
import { expectedMsOf, RENEW_MS } from './chunk-consumer.ts';
import type { ChunkConsumer } from './chunk-consumer.ts';
import { EngineLoad } from '#runner';

/** Dependencies of {@link pullChunks}: the queue, the consumer of claimed chunks, and the engine. */
export interface PullPorts {
  readonly work: Pick<WorkQueue, 'claim' | 'release'>;
  readonly consumer: ChunkConsumer;
  readonly engine: Pick<Engine, 'threads'>;
  /** Resolves when another chunk may be claimed although the engine also runs other work. By default, chunks may always be claimed. */
  readonly mayClaim?: () => Promise<void>;
}

/**
 * Claims chunks (parts of evaluations) from a queue outside this process whenever the engine has room for another task. `consumer`
 * evaluates the claimed chunks. If the queue fails, the function claims again after a pause. When `signal` is aborted, unfinished chunks
 * return to the queue, so that other processes can run them.
 */
export async function pullChunks({ work, consumer, engine, mayClaim }: PullPorts, signal: AbortSignal): Promise<void> {
  const load = new EngineLoad(engine.threads);
  const ended = new Promise<void>((resolve, reject) => {
    const end = (): void => void consumer.end().then(resolve, reject);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  while (!signal.aborted) {
    try {
      await load.whenFree();
      await mayClaim?.();
      const claim = await work.claim(signal);
      if (claim && signal.aborted) await work.release(claim);
      else if (claim) void consumer.take(claim).finally(load.take(expectedMsOf(claim)));
    } catch (error) {
      consumer.failed(error);
      await setTimeout(RENEW_MS);
    }
  }
  await ended;
}
