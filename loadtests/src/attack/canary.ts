import { Worker } from 'node:worker_threads';

/** Settings of a canary, the client that watches the service during attacks. */
export interface CanarySettings {
  readonly servicePort: number;
  readonly controlPort: number;
  readonly credentials: Readonly<Record<string, string>>;
  /** Ids of the service's processes. The first process serves HTTP. */
  readonly processIds: readonly number[];
}

/** Most delayed answer to a probe, a request by which the canary watches the service. */
export interface Late {
  /** Delay of the answer minus the delay that the machine caused, in ms. */
  readonly ms: number;
  /** Time from the probe to the answer, in ms. */
  readonly took: number;
  /** Time at which the probe was sent, in epoch ms. */
  readonly at: number;
}

/** Observations of a canary (the client that watches the service during attacks) since the last report. */
export interface CanaryFindings {
  /** Most delayed answer of `/livez`. */
  readonly livez: Late;
  readonly evaluation: Late;
  /** Longest answer time in ms of the control server, a process that only answers, so that its delay is the machine's. */
  readonly controlMs: number;
  /** Descriptions of wrong answers of the service to the canary, one for each answer. */
  readonly wrong: readonly string[];
}

const SOURCE = import.meta.url.endsWith('.ts');

/** Small client in a separate thread. Ten times a second, it requests the service's health and an evaluation whose verdicts are known. */
export class Canary {
  readonly #thread: Worker;

  constructor(settings: CanarySettings) {
    this.#thread = new Worker(new URL(`./canary-thread${SOURCE ? '.ts' : '.js'}`, import.meta.url), { workerData: settings });
  }

  /** Returns the observations since the last report, after all open probes (requests to the service) have been answered. */
  seen(): Promise<CanaryFindings> {
    const answered = new Promise<CanaryFindings>((resolve) => this.#thread.once('message', resolve));
    this.#thread.postMessage('seen');
    return answered;
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }
}
