import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import type { Log } from '#telemetry';
import type { FromServing, ToServing } from './serving-process.ts';
import { PROCESS_NUMBER } from './serving-process.ts';

/** Metrics of one process in the text format of Prometheus. */
interface ProcessScrape {
  /** Number of the process, which distinguishes it from the other processes that serve the same port. */
  readonly process: number;
  readonly text: string;
}

/** Metric with the samples of all processes. */
interface Family {
  /** HELP, TYPE and UNIT lines, taken from the first process that has the metric. */
  readonly comments: string[];
  readonly samples: string[];
}

const COMMENT = /^# (?:HELP|TYPE|UNIT) (\S+)/;
const SAMPLE = /^([\w:]+)(\{)?(.*)$/;

/**
 * Merges the metrics of several processes into one scrape. Each series gets a label `process` with the number of its process; a replacement
 * process keeps the number. The values are not summed, because a replaced process counts from zero again. Prometheus detects such a reset
 * in a single series but not in a sum.
 */
export function mergeScrapes(scrapes: readonly ProcessScrape[]): string {
  const families = new Map<string, Family>();
  for (const { process, text } of scrapes) {
    let family: Family = { comments: [], samples: [] };
    const described = new Set<string>();
    for (const line of text.split('\n')) {
      const name = COMMENT.exec(line)?.[1];
      if (name === undefined) {
        if (line !== '' && !line.startsWith('#')) family.samples.push(labelled(line, process));
        continue;
      }
      const known = families.get(name);
      family = known ?? { comments: [], samples: [] };
      families.set(name, family);
      if (known === undefined || described.has(name)) {
        described.add(name);
        family.comments.push(line);
      }
    }
  }
  return [...families.values()].flatMap(({ comments, samples }) => [...comments, ...samples, '']).join('\n');
}

function labelled(sample: string, process: number): string {
  const [, name = '', open, rest = ''] = SAMPLE.exec(sample) ?? [];
  const label = `process="${process}"`;
  if (open === undefined) return `${name}{${label}}${rest}`;
  return rest.startsWith('}') ? `${name}{${label}${rest}` : `${name}{${label},${rest}`;
}

/** Time in ms within which a process must send its metrics. A process that answers later is missing from the scrape. */
const SCRAPE_MS = 1500;
/**
 * Pause in ms before the next attempt to start a replacement process, if the last attempt ended before the process accepted requests. The
 * pause doubles after each failure, up to `MAX_PAUSE_MS`.
 */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/** Settings of several API processes on one port. */
export interface ServingSettings {
  readonly processes: number;
  readonly log: Log;
  /** Time in ms between the SIGTERM signal to a process and the moment when the process is killed if it still runs. */
  readonly endingMs: number;
  /** Called once, when all processes accept requests. */
  readonly serving: (url: string) => void;
}

/**
 * Supervisor of several API processes on one port. The supervisor's process owns the port and distributes connections in turn; it answers
 * no requests itself. The first API process starts alone, so that a problem at start is reported only once. If an API process ends
 * unexpectedly, it is replaced; its open requests fail, as they would with a single process.
 */
export class ServingProcesses {
  readonly #settings: ServingSettings;
  /** Running processes by their number, from 1. */
  readonly #processes = new Map<number, Worker>();
  readonly #serving = new Set<number>();
  readonly #scrapes = new Map<number, (scrape: ProcessScrape) => void>();
  readonly #ended = Promise.withResolvers<number>();
  #scraped = 0;
  #state: 'starting' | 'serving' | 'ending' = 'starting';
  #exitCode = 0;

  constructor(settings: ServingSettings) {
    this.#settings = settings;
  }

  /**
   * Starts the processes, and restarts each process that ends before {@link end} is called. Resolves with the exit code when the last
   * process has ended. The code is not 0 if a process could not be started or could not be ended.
   */
  run(): Promise<number> {
    this.#fork(1);
    return this.#ended.promise;
  }

  /** Sends SIGTERM to all processes, and kills the processes that are still running after `endingMs`. */
  end(): void {
    if (this.#state === 'ending') return;
    this.#state = 'ending';
    for (const one of this.#processes.values()) one.process.kill('SIGTERM');
    setTimeout(() => {
      for (const one of this.#processes.values()) one.process.kill('SIGKILL');
    }, this.#settings.endingMs).unref();
    if (this.#processes.size === 0) this.#ended.resolve(this.#exitCode);
  }

  #fork(number: number, pauseMs = FIRST_PAUSE_MS): void {
    const one = cluster.fork({ [PROCESS_NUMBER]: String(number) });
    this.#processes.set(number, one);
    one.on('message', (message: FromServing) => this.#onMessage(number, one, message));
    one.once('exit', (code: number | null, signal: string | null) => this.#onExit(number, { code, signal }, pauseMs));
  }

  #onMessage(number: number, one: Worker, message: FromServing): void {
    if (message.type === 'serving') this.#begin(number, message.url);
    else if (message.type === 'scrape all') void this.#answerScrape(one, message.scrape);
    else this.#scrapes.get(message.scrape * this.#settings.processes + number)?.({ process: number, text: message.text });
  }

  #begin(number: number, url: string): void {
    const { processes, serving } = this.#settings;
    this.#serving.add(number);
    if (this.#state !== 'starting') return;
    if (this.#processes.size === 1) for (let next = 2; next <= processes; next++) this.#fork(next);
    if (this.#serving.size < processes) return;
    this.#state = 'serving';
    serving(url);
  }

  #onExit(number: number, how: { readonly code: number | null; readonly signal: string | null }, pauseMs: number): void {
    const { log } = this.#settings;
    const served = this.#serving.delete(number);
    this.#processes.delete(number);
    if (this.#state === 'ending') {
      if (how.code !== 0) this.#exitCode ||= 1;
    } else if (this.#state === 'starting' || (!served && this.#serving.size === 0)) {
      // The process has reported the reason itself. No other process serves, so the service ends.
      this.#exitCode = how.code || 1;
      log.error({ process: number, ...how }, 'an API process does not start');
      return this.end();
    } else if (served) {
      log.error({ process: number, ...how }, 'an API process ended, and is replaced');
      this.#fork(number);
    } else {
      log.error({ process: number, ...how, pauseMs }, 'a replacement for an API process does not start');
      setTimeout(() => {
        if (this.#state === 'serving') this.#fork(number, Math.min(2 * pauseMs, MAX_PAUSE_MS));
      }, pauseMs).unref();
    }
    if (this.#state === 'ending' && this.#processes.size === 0) this.#ended.resolve(this.#exitCode);
  }

  /** Sends the merged metrics to the process `asker`. They cover all processes that send their metrics in time. */
  async #answerScrape(asker: Worker, scrape: number): Promise<void> {
    const index = this.#scraped++;
    const scrapes = await Promise.all([...this.#processes].map(([number, one]) => this.#scrapeOf(number, one, index)));
    const there = scrapes.filter((one) => one !== undefined).sort((a, b) => a.process - b.process);
    send(asker, { type: 'all scraped', scrape, text: mergeScrapes(there) });
  }

  #scrapeOf(number: number, one: Worker, scrape: number): Promise<ProcessScrape | undefined> {
    const key = scrape * this.#settings.processes + number;
    return new Promise((resolve) => {
      const settle = (answer?: ProcessScrape): void => {
        clearTimeout(late);
        this.#scrapes.delete(key);
        resolve(answer);
      };
      const late = setTimeout(settle, SCRAPE_MS);
      this.#scrapes.set(key, settle);
      send(one, { type: 'scrape', scrape });
    });
  }
}

/** Sends a message to a process. Does nothing if the process has already ended. */
function send(one: Worker, message: ToServing): void {
  if (one.isConnected()) one.send(message, () => undefined);
}
