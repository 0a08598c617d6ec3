import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { EmbeddedQueue } from '#queue';
import type { QueueAdapter } from '#queue';
import { EngineHost } from '#runner';
import { ChunkConsumer, Dispatcher } from '#service';
import type { Telemetry } from '#telemetry';
import { QUEUE, TELEMETRY } from './tokens.ts';

/** Starts the engine with the process, lets it judge the chunks that wait in this process, and ends both with the process. */
@Injectable()
export class EngineLifecycle implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(QUEUE) private readonly queue: QueueAdapter,
    @Inject(TELEMETRY) private readonly telemetry: Telemetry,
    private readonly host: EngineHost,
    private readonly dispatcher: Dispatcher,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.host.start();
    this.#observe();
    // With Redis, worker processes take the chunks; this process's engine judges definitions and reads YAML.
    const { queue, host, telemetry, dispatcher } = this;
    if (queue instanceof EmbeddedQueue) dispatcher.serve(queue.work, new ChunkConsumer(queue, host, telemetry));
  }

  async onApplicationShutdown(): Promise<void> {
    const ended = this.dispatcher.end();
    this.host.stop();
    await ended;
    await this.queue.close();
  }

  #observe(): void {
    const { metrics } = this.telemetry;
    metrics.observeEngine(() => ({
      engine_threads: this.host.threads,
      engine_running: this.host.load.running,
      engine_waiting: this.host.load.waiting + this.dispatcher.waiting,
    }));
    metrics.observeRequests(() => this.dispatcher.depth);
    metrics.observeQueue(async () => {
      const { waiting, waitingBytes, resultBytes, seats, levels } = await this.queue.work.depth();
      return {
        plain: { queue_waiting: waiting, queue_waiting_bytes: waitingBytes, queue_result_bytes: resultBytes, flow_control_seats: seats },
        levels,
      };
    });
    this.queue.ends.onEnded((end) => metrics.counters.evaluations.add(1, { end }));
  }
}
