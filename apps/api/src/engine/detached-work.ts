import { setTimeout } from 'node:timers/promises';
import type { EngineHost, Dispatcher } from '#runner';
import { ChunkConsumer, pullChunks, sharePrices } from '#service';
import type { ServicePorts } from '#service';

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

/** Dependencies of {@link DetachedWork}. If `claims` is false, the process leaves detached evaluations to other processes. */
export interface DetachedWorkPorts extends Pick<ServicePorts, 'durable' | 'overflow' | 'prices' | 'telemetry'> {
  readonly host: EngineHost;
  readonly dispatcher: Dispatcher;
  readonly claims: boolean;
}

/** Work on detached evaluations: claims their chunks (groups of items of one evaluation), and shares prices with other processes. */
export class DetachedWork {
  readonly #ports: DetachedWorkPorts;
  readonly #stopPulling = new AbortController();
  #pulling: Promise<void> = Promise.resolve();
  #stopSharing: (() => void) | undefined;

  constructor(ports: DetachedWorkPorts) {
    this.#ports = ports;
  }

  /** Begins to claim chunks. The engine must have started. */
  start(): void {
    const { host, dispatcher, telemetry, overflow, durable, prices, claims } = this.#ports;
    if (durable.prices) this.#stopSharing = sharePrices(prices, durable.prices);
    if (!claims) return;
    const consumer = new ChunkConsumer(durable, host, telemetry, dispatcher);
    // Without other processes, nobody else can claim a chunk, and it waits in turn with all other work.
    const mayClaim = overflow && ((): Promise<void> => dispatcher.whenFree(overflow.isOffering ? OFFERING_MS : BUSY_MS));
    this.#pulling = pullChunks({ work: durable.work, consumer, engine: host, ...(mayClaim && { mayClaim }) }, this.#stopPulling.signal);
  }

  /**
   * Stops claiming chunks, and stops the engine. Resolves when each chunk that the engine works on is committed or returned to its queue.
   * Waits at most `RELEASE_MS` for the queue.
   */
  async stop(): Promise<void> {
    this.#stopPulling.abort();
    this.#stopSharing?.();
    this.#ports.host.stop();
    await Promise.race([this.#pulling, setTimeout(RELEASE_MS, undefined, { ref: false })]);
  }
}
