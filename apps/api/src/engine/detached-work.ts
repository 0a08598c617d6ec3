import { setTimeout } from 'node:timers/promises';
import { backgroundThreads, OfferServer } from '#runner';
import type { Dispatcher, EngineHost, OfferKind, Offers } from '#runner';
import { JobRunner } from '#jobs';
import { JobEvaluation, performOffered, sharePrices, UnstoredResults } from '#service';
import type { ServicePorts } from '#service';

/**
 * Time in ms within which a process that is shutting down must return its jobs to Redis. Other processes take jobs that were not returned
 * when their locks expire.
 */
const RELEASE_MS = 2000;

/** Dependencies of {@link DetachedWork}. If `takesJobs` is false, the process performs no work of other processes. */
export interface DetachedWorkPorts extends Pick<ServicePorts, 'durable' | 'prices' | 'telemetry'> {
  readonly host: EngineHost;
  readonly dispatcher: Dispatcher;
  readonly takesJobs: boolean;
  /** Name of this process in traces. */
  readonly node: string;
  /** Seats and tasks that processes offer each other; undefined if there are no other processes. */
  readonly fleet: Fleet | undefined;
}

/** Seats and tasks that the processes of a fleet offer each other. */
export interface Fleet {
  readonly offers: Offers;
  readonly seats: {
    /**
     * Reports the engine threads of this process to the other processes. `free` returns the number of threads that its own work leaves
     * free. The returned function ends this.
     */
    join(seats: number, free: () => number): Promise<() => Promise<void>>;
  };
}

/**
 * Work for clients that are not connected to this process: jobs (evaluations that continue after their request), and tasks of other
 * processes. Also shares prices with other processes.
 */
export class DetachedWork {
  readonly #ports: DetachedWorkPorts;
  readonly #runner: JobRunner;
  #stopSharing: (() => void) | undefined;
  #offerServer: OfferServer | undefined;
  #leave: Promise<(() => Promise<void>) | undefined> | undefined;

  constructor(ports: DetachedWorkPorts) {
    this.#ports = ports;
    const { durable: queue, dispatcher, prices, telemetry, node } = ports;
    const parts = { queue, dispatcher, prices, telemetry, node, unstored: new UnstoredResults() };
    this.#runner = new JobRunner({
      kind: 'evaluation',
      queue,
      traceparentOf: ({ settings }) => settings.traceparent,
      telemetry,
      node,
      perform: (job, signal) => new JobEvaluation(parts, job, signal).perform(),
    });
  }

  /** Begins to perform jobs and to take offered tasks. The engine must have started. */
  start(): void {
    const { host, dispatcher, fleet, durable, prices, takesJobs } = this.#ports;
    if (durable.prices) this.#stopSharing = sharePrices(prices, durable.prices);
    if (!takesJobs) return;
    if (fleet) {
      this.#offerServer = this.#serve(fleet.offers);
      this.#leave = fleet.seats.join(host.threads, () => dispatcher.freeSeats).catch((error: unknown) => this.#failed(error));
    }
    this.#runner.start();
  }

  #serve(offers: Offers): OfferServer {
    const { host, dispatcher, telemetry } = this.#ports;
    const parts = { engine: host, dispatcher, telemetry, node: offers.node };
    return new OfferServer(offers, {
      seats: (kind: OfferKind) => (kind === 'runs' ? Math.round(dispatcher.freeSeats) : backgroundThreads(host.threads)),
      perform: (task, signal) => performOffered(parts, task, signal),
      failed: (error) => this.#failed(error),
    });
  }

  #failed(error: unknown): undefined {
    this.#ports.telemetry.log.error({ err: error }, 'the queue does not answer');
  }

  /**
   * Stops performing jobs and taking tasks, and stops the engine. Resolves when each job is over or back in the line, and each taken task is
   * answered. Waits at most `RELEASE_MS` for the storage.
   */
  async stop(): Promise<void> {
    this.#stopSharing?.();
    const ended = Promise.all([this.#runner.stop(), this.#offerServer?.end()]);
    this.#ports.host.stop();
    const left = ended.then(async () => (await this.#leave)?.()).catch((error: unknown) => this.#failed(error));
    await Promise.race([left, setTimeout(RELEASE_MS, undefined, { ref: false })]);
  }
}
