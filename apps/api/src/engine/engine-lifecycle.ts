import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { setTimeout } from 'node:timers/promises';
import type { EmbeddedQueue, QueueAdapter } from '#queue';
import { EngineHost } from '#runner';
import { ChunkConsumer, Dispatcher, pullChunks, sharePrices } from '#service';
import type { ServicePorts, WaitingWork } from '#service';
import { AuditedEnds } from '../audit/audit-ends.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { QUEUE, SERVICE_PORTS, SHARED_QUEUE } from './tokens.ts';

/** While this process is busy it claims a run of the shared queue so much later, ms: idle processes come first. */
const BUSY_MS = 100;
/** The delay while this process itself offers runs, ms: it would take them back. */
const OFFERING_MS = 1000;

/** When the process ends, runs are given back to Redis within this time, ms, or their leases run out. */
const RELEASE_MS = 2000;

/** Starts the engine with the process and ends it with the process. Meanwhile the engine judges chunks of the own queue and of the shared one. */
@Injectable()
export class EngineLifecycle implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #stopPulling = new AbortController();
  #pulling: Promise<void> = Promise.resolve();
  #stopSharing: (() => void) | undefined;

  constructor(
    @Inject(QUEUE) private readonly queue: EmbeddedQueue<WaitingWork>,
    @Inject(SHARED_QUEUE) private readonly shared: QueueAdapter | undefined,
    @Inject(SERVICE_PORTS) private readonly ports: ServicePorts,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
    private readonly host: EngineHost,
    private readonly dispatcher: Dispatcher,
    private readonly auditedEnds: AuditedEnds,
    private readonly audit: AuditLog,
  ) {
    // From the beginning: a queue tells ends as soon as it is there.
    const { durable, telemetry } = ports;
    durable.ends.onEnded(({ end }) => telemetry.metrics.counters.evaluations.add(1, { end }));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.host.start();
    this.#observe();
    const { queue, shared, host, dispatcher } = this;
    const { telemetry, overflow } = this.ports;
    dispatcher.serve(queue.work, new ChunkConsumer(queue, host, telemetry));
    if (shared?.prices) this.#stopSharing = sharePrices(queue.priceBook, shared.prices);
    if (shared === undefined || this.config.role === 'api') return;
    const consumer = new ChunkConsumer(shared, host, telemetry, dispatcher);
    const mayClaim = (): Promise<void> => dispatcher.whenFree(overflow?.isOffering === true ? OFFERING_MS : BUSY_MS);
    this.#pulling = pullChunks({ work: shared.work, consumer, engine: host, mayClaim }, this.#stopPulling.signal);
  }

  async onApplicationShutdown(): Promise<void> {
    const ended = this.dispatcher.end();
    this.#stopPulling.abort();
    this.#stopSharing?.();
    this.host.stop();
    await Promise.all([ended, Promise.race([this.#pulling, setTimeout(RELEASE_MS, undefined, { ref: false })])]);
    await this.auditedEnds.written();
    await Promise.all([this.queue.close(), this.shared?.close()]);
    await this.audit.close();
  }

  #observe(): void {
    const { telemetry, durable } = this.ports;
    const { metrics } = telemetry;
    metrics.observeEngine(() => ({
      engine_threads: this.host.threads,
      engine_running: this.host.load.running,
      engine_waiting: this.host.load.waiting + this.dispatcher.waiting,
    }));
    // Nothing of a worker's own waits there.
    if (this.config.role === 'worker') return;
    metrics.observeRequests(() => this.dispatcher.depth);
    metrics.observeQueue(async () => {
      const { waiting, waitingBytes, seats, levels } = await this.queue.work.depth();
      const stored = await durable.work.depth().catch(() => undefined);
      return {
        plain: {
          queue_waiting: waiting,
          queue_waiting_bytes: waitingBytes,
          queue_result_bytes: stored?.resultBytes,
          flow_control_seats: seats,
          shared_queue_waiting: this.shared && stored?.waiting,
          shared_queue_seats: this.shared && stored?.seats,
          storage_up: stored === undefined ? 0 : 1,
        },
        levels,
      };
    });
  }
}
