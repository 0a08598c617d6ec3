/** Waiting work in hand is expected to begin within this time, ms a thread. So threads do not wait for the next small task, and newcomers are hardly delayed. */
const AHEAD_MS = 4;

/** Tasks that the engine has for each thread at most, however small they are. */
const MOST_TASKS = 16;

/** A task that the engine has. */
interface Task {
  /** Its expected time on a thread, ms; Infinity: nothing may be in hand behind it. */
  readonly expectedMs: number;
}

/**
 * The work of the engine: one task on each thread, and small tasks in hand that a thread gets together. All other work
 * waits in its queue.
 */
export class EngineLoad {
  readonly #threads: number;
  readonly #tasks = new Set<Task>();
  #freed = Promise.withResolvers<undefined>();

  constructor(threads: number) {
    this.#threads = threads;
  }

  /** Returns true if the engine takes one more task now. */
  get free(): boolean {
    const { size } = this.#tasks;
    if (size < this.#threads) return true;
    if (size >= MOST_TASKS * this.#threads) return false;
    let expectedMs = 0;
    for (const task of this.#tasks) expectedMs += task.expectedMs;
    return expectedMs < this.#threads * AHEAD_MS;
  }

  /** Gives the engine a task. Returns what is called when it is done. */
  take(expectedMs: number): () => void {
    const task = { expectedMs };
    this.#tasks.add(task);
    return () => {
      this.#tasks.delete(task);
      this.#freed.resolve(undefined);
      this.#freed = Promise.withResolvers();
    };
  }

  /** Resolves when the engine takes one more task. */
  async whenFree(): Promise<void> {
    while (!this.free) await this.#freed.promise;
  }
}
