/**
 * Maximum expected time in ms per thread of the tasks in the engine. Threads therefore do not wait for the next small task, and new work is
 * hardly delayed.
 */
const AHEAD_MS = 4;

/** Maximum number of tasks per thread in the engine, however small they are. */
const MOST_TASKS = 16;

/** A task that the engine has. */
interface Task {
  /** Expected time on a thread in ms; Infinity if no other task may wait behind this task in the engine. */
  readonly expectedMs: number;
}

/** Load of the engine: one task on each thread, and small tasks that a thread receives together. All other work waits in its queue. */
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

  /** Counts a task as passed to the engine. Returns a function to call when the task is done. */
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
