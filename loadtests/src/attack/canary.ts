import { Worker } from 'node:worker_threads';

/** What a canary is started with. */
export interface CanarySettings {
  readonly servicePort: number;
  readonly controlPort: number;
  readonly credentials: Readonly<Record<string, string>>;
  /** Processes of the service; the first serves HTTP. */
  readonly processIds: readonly number[];
}

/** What a canary saw since it was last asked. */
export interface Seen {
  readonly probes: number;
  /** The latest answer of `/livez` as measured, ms. */
  readonly worstLivezMs: number;
  /** The same less what the machine took: what the control or the scheduler says, ms. */
  readonly worstStallMs: number;
  /** When that probe was sent, epoch ms. */
  readonly worstStallAt: number;
  /** The latest answer of the control, ms. */
  readonly worstControlMs: number;
  /** The latest evaluation less what the machine took, ms. */
  readonly worstEvaluationMs: number;
  /** When that one was sent, epoch ms, and how long its answer was waited for, ms. */
  readonly worstEvaluationAt: number;
  readonly worstEvaluationTook: number;
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
