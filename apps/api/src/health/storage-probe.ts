import { inTime } from '#queue';
import type { QueueAdapter } from '#queue';

/** A storage that does not answer a probe within this time is not ready, ms; below the time that a kubelet gives. */
const PATIENCE_MS = 2000;
/** An answer counts for so long, ms: probes of many watchers are one write. */
const FRESH_MS = 1000;

/** Two answers about the storage: it is there, and it takes writes. */
export interface StorageState {
  readonly answers: boolean;
  readonly takes: boolean;
}

/** Asks the storage behind the queue, at most once at a time and once a second. */
export class StorageProbe {
  /** True if processes share the storage: without it each answers requests, and begins no detached evaluations. */
  readonly isShared: boolean;
  readonly #queue: Pick<QueueAdapter, 'probe' | 'work'>;
  #pending: Promise<StorageState> | undefined;

  constructor(queue: Pick<QueueAdapter, 'probe' | 'work'>, isShared: boolean) {
    this.#queue = queue;
    this.isShared = isShared;
  }

  state(): Promise<StorageState> {
    this.#pending ??= this.#ask();
    return this.#pending;
  }

  async #ask(): Promise<StorageState> {
    const [answers, takes] = await Promise.all([succeeds(() => this.#queue.work.depth()), succeeds(() => this.#queue.probe())]);
    setTimeout(() => (this.#pending = undefined), FRESH_MS).unref();
    return { answers, takes };
  }
}

/** Returns true if something is done in time. */
async function succeeds(act: () => Promise<unknown>): Promise<boolean> {
  const done = (async () => act())().then(
    () => true,
    () => false,
  );
  return (await inTime(PATIENCE_MS, done)) === true;
}
