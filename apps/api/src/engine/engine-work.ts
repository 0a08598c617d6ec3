import { Inject, Injectable } from '@nestjs/common';
import { setTimeout } from 'node:timers/promises';
import type { EmbeddedQueue, QueueAdapter } from '#queue';
import { EngineHost } from '#runner';
import { ChunkConsumer, Dispatcher, pullChunks, sharePrices } from '#service';
import type { ServicePorts, WaitingWork } from '#service';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { QUEUE, SERVICE_PORTS } from './tokens.ts';

/**
 * Delay in ms before this process, while it is busy, claims a chunk (group of items of one evaluation) of the shared queue. The delay lets
 * idle processes claim the chunk first.
 */
const BUSY_MS = 100;
/**
 * Delay in ms before this process claims a chunk while it offers its own chunks to other processes. The delay keeps it from claiming its
 * own chunks.
 */
const OFFERING_MS = 1000;

/**
 * Time in ms within which a process that is shutting down must return its claimed chunks to Redis. Other processes can claim unreturned
 * chunks when the leases expire.
 */
const RELEASE_MS = 2000;

/**
 * Service that lets the engine compute verdicts for the chunks of two queues: this process's own queue and the shared queue. A chunk is a
 * group of items of one evaluation.
 */
@Injectable()
export class EngineWork {
  readonly #stopPulling = new AbortController();
  #pulling: Promise<void> = Promise.resolve();
  #stopSharing: (() => void) | undefined;

  constructor(
    @Inject(QUEUE) private readonly queue: EmbeddedQueue<WaitingWork>,
    @Inject(SERVICE_PORTS) private readonly ports: ServicePorts,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
    private readonly host: EngineHost,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** Starts the engine, and begins to take chunks from the queues. */
  async begin(): Promise<void> {
    const { queue, shared, host, dispatcher } = this;
    await host.start();
    const { telemetry, overflow } = this.ports;
    dispatcher.serve(queue.work, new ChunkConsumer(queue, host, telemetry));
    if (shared?.prices) this.#stopSharing = sharePrices(queue.priceBook, shared.prices);
    if (shared === undefined || this.config.role === 'api') return;
    const consumer = new ChunkConsumer(shared, host, telemetry, dispatcher);
    const mayClaim = (): Promise<void> => dispatcher.whenFree(overflow?.isOffering === true ? OFFERING_MS : BUSY_MS);
    this.#pulling = pullChunks({ work: shared.work, consumer, engine: host, mayClaim }, this.#stopPulling.signal);
  }

  /**
   * Stops taking chunks, and stops the engine. Resolves when each chunk that the engine works on is committed or returned to its queue.
   * Waits at most `RELEASE_MS` for the shared queue.
   */
  async end(): Promise<void> {
    const ended = this.dispatcher.end();
    this.#stopPulling.abort();
    this.#stopSharing?.();
    this.host.stop();
    await Promise.all([ended, Promise.race([this.#pulling, setTimeout(RELEASE_MS, undefined, { ref: false })])]);
  }

  /** Closes this process's queue and the shared queue. */
  async close(): Promise<void> {
    await Promise.all([this.queue.close(), this.shared?.close()]);
  }

  private get shared(): QueueAdapter | undefined {
    const { queue, durable } = this.ports;
    return durable === queue ? undefined : durable;
  }
}
