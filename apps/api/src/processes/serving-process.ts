import cluster from 'node:cluster';
import type { Telemetry } from '#telemetry';

/**
 * Name of the environment variable that contains the number of an API process. The parent process, which watches the API processes, sets
 * it.
 */
export const PROCESS_NUMBER = 'ASSAY_API_PROCESS_NUMBER';

/** Returns the number of this process among the processes on one port, from 1; undefined if there is only one process. */
export function processNumber(variables: NodeJS.ProcessEnv = process.env): number | undefined {
  return cluster.isWorker ? Number(variables[PROCESS_NUMBER]) : undefined;
}

/**
 * Connection from this process to its parent process, which watches all processes that serve the API on the same port. The connection sends
 * messages to the parent and receives its answers.
 */
export class ServingProcess {
  readonly #own: Telemetry;
  readonly #scrapes = new Map<number, (text: string) => void>();
  #lastScrape = 0;

  constructor(own: Telemetry) {
    this.#own = own;
    process.on('message', (message: ToServing) => this.#onMessage(message));
  }

  /** Telemetry of this process, except that its scrape returns the metrics of all processes. */
  get telemetry(): Telemetry {
    return { ...this.#own, scrape: () => this.#scrapeAll() };
  }

  /** Reports to the watching process that this process accepts requests at `url`. */
  serving(url: string): void {
    send({ type: 'serving', url });
  }

  #scrapeAll(): Promise<string> {
    const scrape = this.#lastScrape++;
    return new Promise((resolve) => {
      this.#scrapes.set(scrape, resolve);
      send({ type: 'scrape all', scrape });
    });
  }

  #onMessage(message: ToServing): void {
    const { scrape } = message;
    if (message.type === 'all scraped') {
      this.#scrapes.get(scrape)?.(message.text);
      this.#scrapes.delete(scrape);
      return;
    }
    this.#own.scrape().then(
      (text) => send({ type: 'scraped', scrape, text }),
      // The process that asked for the metrics stops waiting by itself, so this process only logs the failure.
      (error: unknown) => this.#own.log.warn({ err: error }, 'metrics could not be read'),
    );
  }
}

function send(message: FromServing): void {
  process.send?.(message);
}

/**
 * Messages from an API process to the process that watches it. Scrapes have numbers, so that a late answer is not mistaken for the answer
 * to another scrape.
 */

/** Messages from a process that serves the API to the parent process, which watches all of these processes. */
export type FromServing =
  /** Message that the process accepts requests at this URL. */
  | { readonly type: 'serving'; readonly url: string }
  /**
   * Message that the process received a request for metrics and needs the metrics of all processes for the answer. `scrape` is the number
   * that the answer repeats.
   */
  | { readonly type: 'scrape all'; readonly scrape: number }
  /** Message with the metrics of the process that sends it. `scrape` is the number from the request that it answers. */
  | { readonly type: 'scraped'; readonly scrape: number; readonly text: string };

/**
 * Messages to a process that serves the API, from the parent process that watches it. `scrape` requests the metrics of the process, and
 * `all scraped` returns the metrics of all processes.
 */
export type ToServing =
  | { readonly type: 'scrape'; readonly scrape: number }
  | { readonly type: 'all scraped'; readonly scrape: number; readonly text: string };
