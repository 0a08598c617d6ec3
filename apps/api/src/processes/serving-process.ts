import cluster from 'node:cluster';
import type { Telemetry } from '#telemetry';
import type { FromServing, ToServing } from './process-messages.ts';

/** In which variable a process finds its number, which is for processes of ours only. */
export const PROCESS_NUMBER = 'ASSAY_API_PROCESS_NUMBER';

/** Returns the number of this process among those on one port, from 1; undefined where it is alone. */
export function processNumber(variables: NodeJS.ProcessEnv = process.env): number | undefined {
  return cluster.isWorker ? Number(variables[PROCESS_NUMBER]) : undefined;
}

/** This process as one of several on one port: what it tells the process that watches them. */
export class ServingProcess {
  readonly #own: Telemetry;
  readonly #scrapes = new Map<number, (text: string) => void>();
  #lastScrape = 0;

  constructor(own: Telemetry) {
    this.#own = own;
    process.on('message', (message: ToServing) => this.#hear(message));
  }

  /** The telemetry of this process, whose metrics are the metrics of all processes. */
  get telemetry(): Telemetry {
    return { ...this.#own, scrape: () => this.#scrapeAll() };
  }

  /** Requests are taken. */
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

  #hear(message: ToServing): void {
    const { scrape } = message;
    if (message.type === 'all scraped') {
      this.#scrapes.get(scrape)?.(message.text);
      this.#scrapes.delete(scrape);
      return;
    }
    this.#own.scrape().then(
      (text) => send({ type: 'scraped', scrape, text }),
      // Who asks waits for no longer than a moment.
      (error: unknown) => this.#own.log.warn({ err: error }, 'metrics could not be read'),
    );
  }
}

function send(message: FromServing): void {
  process.send?.(message);
}
