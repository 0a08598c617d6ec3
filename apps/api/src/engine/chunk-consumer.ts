import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { chunkSource } from '#queue';
import type { QueueAdapter } from '#queue';
import { consumeChunks, EngineHost, chunkRecorder } from '#runner';
import { counters, logger, observeEngine, observeLine, observeQueue } from '#telemetry';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { EngineLine } from '../../../../libs/service/src/dispatch/dispatcher.ts';
import { QUEUE } from './queue.token.ts';

/** The embedded consumer: starts the engine host, takes chunks from the queue, and records each in traces and metrics. */
@Injectable()
export class ChunkConsumer implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #stop = new AbortController();
  #consuming: Promise<void> = Promise.resolve();

  constructor(
    @Inject(QUEUE) private readonly queue: QueueAdapter,
    private readonly host: EngineHost,
    private readonly line: EngineLine,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.host.start();
    observeEngine(() => ({
      engine_threads: this.host.threads,
      engine_running: this.host.load.running,
      engine_waiting: this.host.load.waiting + this.line.waiting,
    }));
    this.queue.ends.onEnded((end) => counters.evaluations.add(1, { end }));
    observeLine(() => this.line.depth);
    observeQueue(async () => {
      const { waiting, waitingBytes, seats, levels } = await this.queue.work.depth();
      return { plain: { queue_waiting: waiting, queue_waiting_bytes: waitingBytes, flow_control_seats: seats }, levels };
    });
    // With Redis, worker processes take the chunks; this process's engine judges definitions and reads YAML.
    if (this.config.redisUrl !== undefined) return;
    this.#consuming = consumeChunks(chunkSource(this.queue), this.host, this.#stop.signal, chunkRecorder).catch((error: unknown) => {
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
