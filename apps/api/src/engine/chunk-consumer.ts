import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { EngineHost, consumeChunks } from '#runner';
import type { Chunk, ChunkResult } from '#evaluation';
import type { QueueAdapter } from '#queue';
import { counters, emitSpans, histograms, logger, observeGauges } from '#telemetry';
import { QUEUE } from './queue.token.ts';

/** The embedded consumer: starts the engine host, takes chunks from the queue, and records each in traces and metrics. */
@Injectable()
export class ChunkConsumer implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #stop = new AbortController();
  #consuming: Promise<void> = Promise.resolve();

  constructor(
    @Inject(QUEUE) private readonly queue: QueueAdapter,
    private readonly host: EngineHost,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.host.start();
    observeGauges(async () => {
      const [{ waiting, waitingBytes }, load] = [await this.queue.work.depth(), this.host.load];
      return { queue_waiting: waiting, queue_waiting_bytes: waitingBytes, engine_running: load.running, engine_waiting: load.waiting };
    });
    const { work, cancellations, definitions } = this.queue;
    const source = {
      claim: (signal: AbortSignal) => work.claim(signal),
      commit: work.commit.bind(work),
      release: work.release.bind(work),
      definition: (digest: string) => definitions.get(digest),
      onCancelled: (listener: (id: string) => void) => cancellations.onCancelled(listener),
    };
    this.#consuming = consumeChunks(source, this.host, this.#stop.signal, recordChunk).catch((error: unknown) => {
      logger.fatal({ err: error }, 'the chunk consumer ended');
      process.exitCode = 1;
      process.kill(process.pid, 'SIGTERM');
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stop.abort();
    this.host.stop();
    await this.#consuming;
    await this.queue.close();
  }
}

/** Makes spans of what the threads measured, and counts. */
function recordChunk(chunk: Chunk, result: ChunkResult, startMs: number, endMs: number): void {
  const { tally } = result;
  for (const outcome of ['accepted', 'rejected', 'notEvaluated', 'cancelled'] as const)
    if (tally[outcome] > 0) counters.objects.add(tally[outcome], { outcome });
  counters.celCost.add(tally.celCost);
  histograms.chunkSeconds.record((endMs - startMs) / 1000);
  if (tally.phases.cel !== undefined) histograms.celSeconds.record(tally.phases.cel / 1000);
  const { traceparent, options } = chunk.settings;
  if (!traceparent) return;
  const attributes = {
    'assay.chunk': chunk.index,
    'assay.chunk.items': chunk.items.length,
    'assay.cel.cost': tally.celCost,
    'assay.kubernetes.version': options.kubernetesVersion,
  };
  emitSpans([{ name: 'run chunk', startMs, endMs, attributes, children: result.spans }], traceparent);
}
