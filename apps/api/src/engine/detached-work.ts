import { setTimeout } from 'node:timers/promises';
import { backgroundThreads, OfferServer } from '#runner';
import type { Dispatcher, EngineHost, OfferKind, Offers } from '#runner';
import { ChunkConsumer, performOffered, pullChunks, sharePrices } from '#service';
import type { ServicePorts } from '#service';

/**
 * Delay in ms before this process, while it is busy, claims a chunk (group of items of one evaluation) of the shared queue. The delay lets
 * idle processes claim the chunk first.
 */
const BUSY_MS = 100;
/**
 * Time in ms within which a process that is shutting down must return its claimed chunks to Redis. Other processes can claim unreturned
 * chunks when the leases expire.
 */
const RELEASE_MS = 2000;

/** Dependencies of {@link DetachedWork}. If `claims` is false, the process performs no work of other processes. */
export interface DetachedWorkPorts extends Pick<ServicePorts, 'durable' | 'prices' | 'telemetry'> {
  readonly host: EngineHost;
  readonly dispatcher: Dispatcher;
  readonly claims: boolean;
  /** Offers of other processes; undefined if there are no other processes. */
  readonly offers: Offers | undefined;
}

/**
 * Work for clients that are not connected to this process: chunks (groups of items) of detached evaluations, and tasks that other processes
 * offer. Also shares prices with other processes.
 */
export class DetachedWork {
  readonly #ports: DetachedWorkPorts;
  readonly #stopPulling = new AbortController();
  #pulling: Promise<void> = Promise.resolve();
  #stopSharing: (() => void) | undefined;
  #offerServer: OfferServer | undefined;

  constructor(ports: DetachedWorkPorts) {
    this.#ports = ports;
  }

  /** Begins to claim chunks and to take offered tasks. The engine must have started. */
  start(): void {
    const { host, dispatcher, telemetry, offers, durable, prices, claims } = this.#ports;
    if (durable.prices) this.#stopSharing = sharePrices(prices, durable.prices);
    if (!claims) return;
    if (offers) this.#offerServer = this.#serve(offers);
    const consumer = new ChunkConsumer(durable, host, telemetry, dispatcher);
    // Without other processes, nobody else can claim a chunk, and it waits in turn with all other work.
    const mayClaim = offers && ((): Promise<void> => dispatcher.whenFree(BUSY_MS));
    this.#pulling = pullChunks({ work: durable.work, consumer, engine: host, ...(mayClaim && { mayClaim }) }, this.#stopPulling.signal);
  }

  #serve(offers: Offers): OfferServer {
    const { host, dispatcher, telemetry } = this.#ports;
    const parts = { engine: host, dispatcher, telemetry, node: offers.node };
    return new OfferServer(offers, {
      seats: (kind: OfferKind) => (kind === 'runs' ? Math.round(dispatcher.freeSeats) : backgroundThreads(host.threads)),
      perform: (task, signal) => performOffered(parts, task, signal),
      failed: (error) => telemetry.log.error({ err: error }, 'the queue does not answer'),
    });
  }

  /**
   * Stops claiming chunks and taking tasks, and stops the engine. Resolves when each chunk that the engine works on is committed or returned
   * to its queue, and each taken task is answered. Waits at most `RELEASE_MS` for the queue.
   */
  async stop(): Promise<void> {
    this.#stopPulling.abort();
    this.#stopSharing?.();
    const ended = Promise.all([this.#pulling, this.#offerServer?.end()]);
    this.#ports.host.stop();
    await Promise.race([ended, setTimeout(RELEASE_MS, undefined, { ref: false })]);
  }
}
