import type { Chunk, ChunkResult, DefinitionText } from '#evaluation';
import type { EngineHost } from './engine-host.ts';
import { runChunk } from './run-chunk.ts';

/** Where chunks come from and results go: what a consumer needs of a queue. */
export interface ChunkSource<Claim extends { readonly chunk: Chunk }> {
  claim(signal: AbortSignal): Promise<Claim | undefined>;
  commit(claim: Claim, result: ChunkResult): Promise<unknown>;
  release(claim: Claim): Promise<void>;
  definition(digest: string): Promise<DefinitionText | undefined>;
  /** Calls back with the id of every evaluation that is cancelled; returns the way to stop listening. */
  onCancelled(listener: (evaluation: string) => void): () => void;
}

/** Told after each chunk, for traces and metrics. Times are epoch ms. */
export type ChunkObserver = (chunk: Chunk, result: ChunkResult, startMs: number, endMs: number) => void;

/**
 * Takes chunks as long as `signal` lives, as many at a time as the host has threads, and stops those whose evaluation is cancelled or past
 * its deadline. The API (embedded mode) and the worker run the same consumer.
 */
export async function consumeChunks<Claim extends { readonly chunk: Chunk }>(
  source: ChunkSource<Claim>,
  host: EngineHost,
  signal: AbortSignal,
  observe: ChunkObserver,
): Promise<void> {
  const running = new Map<string, Set<AbortController>>();
  const stopListening = source.onCancelled((evaluation) => running.get(evaluation)?.forEach((controller) => controller.abort()));
  await Promise.all(Array.from({ length: host.threads }, () => takeTurns()));
  stopListening();

  async function takeTurns(): Promise<void> {
    while (!signal.aborted) {
      const claim = await source.claim(signal);
      if (claim) await work(claim);
    }
  }

  async function work(claim: Claim): Promise<void> {
    const { chunk } = claim;
    const controller = new AbortController();
    const together = running.get(chunk.evaluation) ?? new Set();
    running.set(chunk.evaluation, together.add(controller));
    const deadline = setTimeout(() => controller.abort(), Math.max(0, chunk.settings.deadlineAt - Date.now()));
    try {
      const definitions = await Promise.all(chunk.settings.definitions.map(({ digest }) => source.definition(digest)));
      const startMs = Date.now();
      const known = definitions.filter((text) => text !== undefined);
      const result = await runChunk(host, chunk, known, controller.signal);
      if (signal.aborted && !controller.signal.aborted && result.tally.cancelled > 0) return await source.release(claim);
      observe(chunk, result, startMs, Date.now());
      await source.commit(claim, { ...result, spans: [] });
    } finally {
      clearTimeout(deadline);
      together.delete(controller);
      if (together.size === 0) running.delete(chunk.evaluation);
    }
  }
}
