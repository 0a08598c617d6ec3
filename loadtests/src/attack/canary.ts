import { Worker } from 'node:worker_threads';

/** What a canary is started with. */
export interface CanarySettings {
  readonly servicePort: number;
  readonly controlPort: number;
  readonly credentials: Readonly<Record<string, string>>;
  /** Processes of the service; the first serves HTTP. */
  readonly processIds: readonly number[];
}

/** The latest answer to a probe. */
export interface Late {
  /** How late it was beyond what the machine took, ms. */
  readonly ms: number;
  /** How long it was waited for, ms. */
  readonly took: number;
  /** When the probe was sent, epoch ms. */
  readonly at: number;
}

/** What a canary saw since it was last asked. */
export interface Seen {
  /** Of `/livez`. */
  readonly livez: Late;
  readonly evaluation: Late;
  /** The latest answer of the control, ms. */
  readonly controlMs: number;
  /** What was answered otherwise than it must be. */
  readonly wrong: readonly string[];
}

const SOURCE = import.meta.url.endsWith('.ts');

/** A small client, in a thread of its own, that asks the service ten times a second for its life and for verdicts that it knows. */
export class Canary {
  readonly #thread: Worker;

  constructor(settings: CanarySettings) {
    this.#thread = new Worker(new URL(`./canary-thread${SOURCE ? '.ts' : '.js'}`, import.meta.url), { workerData: settings });
  }

  /** What it saw since the last time, once its open probes are answered. */
  seen(): Promise<Seen> {
    const answered = new Promise<Seen>((resolve) => this.#thread.once('message', resolve));
    this.#thread.postMessage('seen');
    return answered;
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }
}
