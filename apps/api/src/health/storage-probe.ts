import { inTime } from '#jobs';
import type { QueueAdapter } from '#jobs';

/** Time in ms within which the storage must answer a probe to count as ready. It is shorter than the probe timeout of a kubelet. */
const PATIENCE_MS = 2000;
/** Time in ms for which a probe result is reused, so that the probes of many watchers cause only one write. */
const FRESH_MS = 1000;

/** State of the storage: whether it answers, and whether it accepts writes. */
export interface StorageState {
  readonly answers: boolean;
  readonly takes: boolean;
}

/** Probe of the storage behind the queue. Only one probe runs at a time, and at most one per second. */
export class StorageProbe {
  /**
   * True if several processes share the storage. If a shared storage fails, each process still answers requests, but starts no detached
   * evaluations, which would continue after their request.
   */
  readonly isShared: boolean;
  readonly #queue: Pick<QueueAdapter, 'probe' | 'jobs'>;
  #pending: Promise<StorageState> | undefined;

  constructor(queue: Pick<QueueAdapter, 'probe' | 'jobs'>, isShared: boolean) {
    this.#queue = queue;
    this.isShared = isShared;
  }

  state(): Promise<StorageState> {
    this.#pending ??= this.#ask();
    return this.#pending;
  }

  async #ask(): Promise<StorageState> {
    const [answers, takes] = await Promise.all([succeeds(() => this.#queue.jobs.depth()), succeeds(() => this.#queue.probe())]);
    setTimeout(() => (this.#pending = undefined), FRESH_MS).unref();
    return { answers, takes };
  }
}

/** Resolves to true if `act` succeeds within `PATIENCE_MS`, and to false if it fails or takes longer. */
export async function succeeds(act: () => Promise<unknown>): Promise<boolean> {
  const done = (async () => act())().then(
    () => true,
    () => false,
  );
  return (await inTime(PATIENCE_MS, done)) === true;
}
